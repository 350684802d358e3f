import type { Target } from "../engine/context.ts";
import type { Header } from "../model/exchange.ts";
import { isProtocolHeader } from "../text/protocol-headers.ts";
import type { Secret } from "../text/redact.ts";
import {
  hasStrayPercent,
  secretsOfArguments,
  secretsOfHeaders,
  secretsOfUrl,
  secretsOfVariables,
  unescaped,
} from "../text/secrets.ts";
import { childEnv } from "../text/variables.ts";
import type { Gate } from "../wire/gate.ts";
import { texts } from "./options.ts";
import type { HttpExtras, HttpServer, ServerTarget, StdioServer } from "./target.ts";

/** A target as the engine takes it, and what must never be shown of it. */
export interface Reached {
  readonly target: Target;
  readonly secrets: readonly Secret[];
}

/** @throws TypeError that names what is wrong with the target. */
export function reach(server: ServerTarget, extras: HttpExtras, gate: Gate | undefined): Reached {
  const whole = typeof server === "string" ? ({ type: "http", url: server } as const) : server;
  // Programs in plain JavaScript come here, too.
  const type: unknown = whole?.type;
  if (type !== "http" && type !== "stdio") {
    const known = '{ type: "http", url } or { type: "stdio", command }';
    throw new TypeError(`the target is no URL, and its type is ${JSON.stringify(type)}: give a URL, ${known}`);
  }
  return whole.type === "stdio" ? reachStdio(whole) : reachHttp(whole, extras, gate);
}

// --- internal ---

function reachHttp(server: HttpServer, extras: HttpExtras, gate: Gate | undefined): Reached {
  const url = httpUrl(server.url, "the target");
  const user: readonly Header[] = url.username === "" ? [] : [["Authorization", basic(url)]];
  const auth: readonly Header[] = extras.auth === undefined ? [] : [["Authorization", extras.auth]];
  const given = [user, pairs(server.headers), pairs(extras.headers), auth].reduce(over);
  for (const [name, value] of given) check(name, value);
  const headers = given.filter(([name]) => !isProtocolHeader(name));
  const proxy = extras.proxy === undefined ? undefined : proxyUrl(extras.proxy);
  url.username = "";
  url.password = "";
  url.hash = "";
  return {
    target: {
      kind: "http",
      url,
      headers,
      tls: {
        ...(extras.ca === undefined ? {} : { ca: extras.ca }),
        ...(extras.insecure === undefined ? {} : { insecure: extras.insecure }),
        ...(proxy === undefined ? {} : { proxy }),
        ...(gate === undefined ? {} : { gate }),
      },
      ...(server.sse === undefined ? {} : { sse: server.sse }),
    },
    secrets: [
      ...secretsOfHeaders(headers),
      ...secretsOfUrl(server.url),
      ...(extras.proxy === undefined ? [] : secretsOfUrl(extras.proxy)),
    ],
  };
}

function reachStdio({ command, args = [], env = {}, cwd }: StdioServer): Reached {
  if (typeof command !== "string" || command === "") throw new TypeError("a stdio target needs a command");
  texts(args, "args");
  return {
    target: {
      kind: "stdio",
      command: {
        ...{ command, args, env: childEnv(process.env, env), platform: process.platform },
        ...(cwd === undefined ? {} : { cwd }),
      },
    },
    secrets: [...secretsOfVariables(env), ...secretsOfArguments(args)],
  };
}

function httpUrl(text: string, what: string): URL {
  if (typeof text !== "string" || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new TypeError(`${what} ${JSON.stringify(text)} is no http:// or https:// URL`);
  }
  return new URL(text);
}

function proxyUrl(text: string): URL {
  const url = httpUrl(text, "the proxy");
  if (hasStrayPercent(url)) {
    throw new TypeError("the proxy has a % in its user or password that starts no escape: write it as %25");
  }
  return url;
}

const pairs = (headers: Readonly<Record<string, string>> = {}): readonly Header[] => Object.entries(headers);

/** Later headers take the place of earlier ones of the same name. */
function over(lower: readonly Header[], upper: readonly Header[]): readonly Header[] {
  const names = new Set(upper.map(([name]) => name.toLowerCase()));
  return [...lower.filter(([name]) => !names.has(name.toLowerCase())), ...upper];
}

function check(name: string, value: string): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is no header name`);
  if (typeof value !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new TypeError(`the value of the header ${name} has characters that no HTTP header may carry`);
  }
}

const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString("base64")}`;
