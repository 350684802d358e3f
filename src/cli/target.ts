import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Target } from "../engine/context.ts";
import type { Header } from "../model/exchange.ts";
import type { TlsOptions } from "../wire/connect.ts";
import { childEnv } from "./child-env.ts";
import { shellWords } from "./split.ts";
import { UsageError } from "./usage.ts";

/** What the options say of the target. */
export interface TargetOptions {
  readonly words: readonly string[];
  readonly headers: readonly string[];
  readonly auth: string | undefined;
  readonly env: readonly string[];
  readonly cwd: string | undefined;
  /** How connections to a URL are made. Default: as usual. */
  readonly tls?: TlsOptions;
  readonly stderr?: (line: string) => void;
}

/** The machine the tester runs on, as much of it as matters here. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** Makes a target of the words of the command line, or says what is wrong with them. */
export function targetOf(options: TargetOptions, machine: Machine): Target {
  const [first, ...rest] = options.words;
  if (first === undefined) {
    throw new UsageError(
      "No target: give the URL of a server (mcp-assay test https://host/mcp) or the command that starts one (mcp-assay test -- node server.js).",
    );
  }
  if (/^https?:\/\//i.test(first)) return httpTarget(first, options);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) {
    throw new UsageError(`${JSON.stringify(first)} has a scheme that no MCP transport uses: give http:// or https://.`);
  }
  if (rest.length === 0 && /^[\w.-]+:\d+(\/.*)?$/.test(first)) {
    throw new UsageError(`${JSON.stringify(first)} is no URL and no command: did you mean http://${first}?`);
  }
  return stdioTarget(options.words, options, machine);
}

// --- internal ---

function httpTarget(text: string, { headers, auth, env, cwd, tls = {} }: TargetOptions): Target {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`${JSON.stringify(text)} is no valid URL: write it as https://host[:port]/path.`);
  }
  if (env.length > 0)
    throw new UsageError(`-E sets a variable of a server's process, and ${url.origin} is a URL: leave it out.`);
  if (cwd !== undefined)
    throw new UsageError(`--cwd is the folder of a server's process, and ${url.origin} is a URL: leave it out.`);
  const given = headers.map(headerOf);
  const user = url.username === "" ? [] : [basic(url)];
  url.username = "";
  url.password = "";
  url.hash = "";
  const own = auth === undefined ? user : [["Authorization", checked("--auth", auth)] as const];
  const named = given.some(([name]) => name.toLowerCase() === "authorization");
  if (named && auth !== undefined)
    throw new UsageError("--auth and -H Authorization are both given: keep one of them.");
  return { kind: "http", url, headers: [...given, ...(named ? [] : own)], tls };
}

const basic = (url: URL): Header => [
  "Authorization",
  `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString("base64")}`,
];

function headerOf(text: string): Header {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(colon, 0)).trim();
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw new UsageError(`-H ${JSON.stringify(text)} is no header: write it as "Name: value".`);
  }
  return [name, checked(`-H ${name}`, text.slice(colon + 1).trim())];
}

function checked(flag: string, value: string): string {
  if (/[\r\n\0]/.test(value) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new UsageError(
      `The value of ${flag} has a character that no HTTP header may carry (a line break, say): quote it anew.`,
    );
  }
  return value;
}

function stdioTarget(words: readonly string[], options: TargetOptions, machine: Machine): Target {
  const { headers, auth, tls = {} } = options;
  if (auth !== undefined) throw new UsageError("--auth is for HTTP; a command gets its credentials by -E NAME=VALUE.");
  if (headers.length > 0)
    throw new UsageError("-H is for HTTP; a command gets its settings by -E NAME=VALUE or arguments.");
  if (Object.keys(tls).length > 0) {
    throw new UsageError(
      "--ca-file, --proxy and --insecure are for URLs; a command gets such settings by -E NAME=VALUE.",
    );
  }
  const cwd = options.cwd === undefined ? machine.cwd : resolve(machine.cwd, options.cwd);
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) {
    throw new UsageError(`--cwd ${JSON.stringify(options.cwd ?? cwd)} is no folder: give one that exists.`);
  }
  const only = words[0] ?? "";
  const spaced = words.length === 1 && /\s/.test(only) && !existsSync(resolve(cwd, only));
  const [command = "", ...args] = spaced ? shellWords(only) : words;
  const env = childEnv(machine.env, Object.fromEntries(options.env.map(variableOf)));
  if (command === "") throw new UsageError("The command is empty: give the command that starts the server.");
  return {
    kind: "stdio",
    command: { command, args, cwd, env, platform: machine.platform },
    ...(options.stderr === undefined ? {} : { stderr: options.stderr }),
  };
}

function variableOf(text: string): readonly [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`-E ${JSON.stringify(text)} sets no variable: write it as NAME=VALUE.`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
