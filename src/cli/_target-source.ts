import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { oneLine } from "../text/escape.ts";
import type { Secret } from "../text/redact.ts";
import { clientServer } from "./client-config.ts";
import type { ConfigTarget } from "./config-schema.ts";
import { filled, type Meanings } from "./placeholders.ts";
import { type Split, shellWords } from "./split.ts";
import type { Machine } from "./target.ts";
import { UsageError } from "./usage.ts";
import { last } from "./verb.ts";

/** A target as it was named, before flags are merged over it. */
export interface Source {
  readonly target: ConfigTarget;
  /** Where its process starts, unless something says otherwise. */
  readonly folder: string;
  readonly envFile?: string;
  /** What the user must know of it. */
  readonly remark?: string;
}

/** Of the command line, else of --mcp-json, else of the config file. */
export function sourceOf(
  split: Split,
  configured: ConfigTarget | undefined,
  machine: Machine,
  found: (secret: Secret) => void,
): Source {
  const file = last(split, "mcp-json");
  const name = last(split, "server");
  if (file === undefined && name !== undefined) {
    throw new UsageError(`--server ${JSON.stringify(name)} chooses from a file: give it by --mcp-json FILE.`);
  }
  if (split.words.length > 0) {
    if (file !== undefined) {
      throw new UsageError(`There are both a target (${split.words[0]}) and --mcp-json: give one of them.`);
    }
    return { target: targetOfWords(split.words, machine, last(split, "cwd")), folder: machine.cwd };
  }
  if (file !== undefined) {
    const server = clientServer(file, name, machine, found);
    if (!server.disabled) return server;
    return { ...server, remark: `${oneLine(server.name, 80)} is disabled in ${file}; it is tested all the same` };
  }
  if (configured !== undefined) {
    const meanings: Meanings = { env: machine.env, workspace: machine.cwd, bare: false };
    return {
      target: expanded(configured, (text, where) => filled(text, `The config file: target.${where}`, meanings, found)),
      folder: machine.cwd,
    };
  }
  throw new UsageError(
    "No target: give the URL of a server (mcp-assay test https://host/mcp), the command that starts one (mcp-assay test -- node server.js), or a config file with a target (mcp-assay init).",
  );
}

/** The target that the words of a command line name. */
export function targetOfWords(words: readonly string[], machine: Machine, cwd: string | undefined): ConfigTarget {
  const [first = "", ...rest] = words;
  if (/^https?:\/\//i.test(first)) return { type: "http", url: first };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) {
    throw new UsageError(`${JSON.stringify(first)} has a scheme that no MCP transport uses: give http:// or https://.`);
  }
  const spaced = rest.length === 0 && /\s/.test(first) && !existsSync(resolve(machine.cwd, cwd ?? ".", first));
  const [command = "", ...args] = spaced ? shellWords(first) : words;
  if (command === "") throw new UsageError("The command is empty: give the command that starts the server.");
  const meant = existsSync(resolve(machine.cwd, cwd ?? ".", command)) ? undefined : urlMeant(command);
  if (meant !== undefined) {
    const { url, shown } = meant;
    throw new UsageError(
      `${JSON.stringify(shown)} is no URL and no command: did you mean ${url}?${shown === command ? "" : CREDENTIALS}`,
    );
  }
  return { type: "stdio", command, args };
}

// --- internal ---

const CREDENTIALS =
  " (What stood before the @ is not shown: write http:// or https:// before it, or give it by --auth-env VAR.)";

/** The URL that a word is without its scheme, as `host:port/path`, `user:password@host` or `example.com/path`. */
function urlMeant(word: string): { readonly url: string; readonly shown: string } | undefined {
  // A password may have anything in it, slashes and @ too: the last @ with a host behind it counts.
  const [, user, host = "", port, path = ""] =
    /^(?:([^\s@]*:\S*|[^\s@/:]+)@)?(localhost|[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::(\d+))?(\/\S*)?$/i.exec(word) ??
    [];
  const dotted = /^localhost$|\.[a-z\d-]+$/i.test(host) && path !== "";
  if (
    host === "" ||
    (user === undefined ? port === undefined && !dotted : port === undefined && path === "" && !user.includes(":"))
  ) {
    return undefined;
  }
  const scheme =
    port === "443" || (port === undefined && !/^(localhost|127\..*|\[::1\])$/i.test(host)) ? "https" : "http";
  const rest = `${host}${port === undefined ? "" : `:${port}`}${path}`;
  return { url: `${scheme}://${rest}`, shown: user === undefined ? word : `…@${rest}` };
}

/** The target of the config file with every placeholder filled in. */
function expanded(target: ConfigTarget, fill: (text: string, where: string) => string): ConfigTarget {
  const words = (of: Readonly<Record<string, string>> | undefined, where: string) =>
    Object.fromEntries(Object.entries(of ?? {}).map(([name, value]) => [name, fill(value, `${where}.${name}`)]));
  if (target.type !== "stdio") {
    return { type: target.type, url: fill(target.url, "url"), headers: words(target.headers, "headers") };
  }
  return {
    type: "stdio",
    command: fill(target.command, "command"),
    args: (target.args ?? []).map((arg, index) => fill(arg, `args[${index}]`)),
    env: words(target.env, "env"),
    ...(target.cwd === undefined ? {} : { cwd: fill(target.cwd, "cwd") }),
  };
}
