import type { Target } from "../engine/context.ts";
import type { Header } from "../model/exchange.ts";
import { isProtocolHeader } from "../text/protocol-headers.ts";
import { unescaped } from "../text/secrets.ts";
import type { TlsOptions } from "../wire/connect.ts";
import type { ConfigTarget } from "./config-schema.ts";
import { readText } from "./read-text.ts";
import type { Split } from "./split.ts";
import type { Machine } from "./target.ts";
import { beginning, UsageError } from "./usage.ts";
import { last } from "./verb.ts";

type Http = Extract<Target, { kind: "http" }>;

/** The headers that the command line asks for, by whatever way. */
export interface GivenHeaders {
  /** By source; the later replaces those of the same name in the earlier. One source may have a name twice. */
  readonly headers: readonly (readonly Header[])[];
  readonly auth?: { readonly flag: string; readonly value: string };
}

export function headersOf(split: Split, machine: Machine): GivenHeaders {
  const auth = authOf(split, machine);
  const headers = [
    fileHeaders(last(split, "header-file"), machine),
    (split.values.get("header-env") ?? []).map((text) => variableHeader(text, machine)),
    (split.values.get("header") ?? []).map((text) => headerOf(text, "-H")),
  ];
  if (auth !== undefined && headers.flat().some(([name]) => name.toLowerCase() === "authorization")) {
    throw new UsageError(`${auth.flag} and a header Authorization are both given: keep one of them.`);
  }
  return { headers, ...(auth === undefined ? {} : { auth }) };
}

/** The target behind a URL, with the given headers over its own, and the names of those that only a test may set. */
export function httpTarget(
  configured: Exclude<ConfigTarget, { type: "stdio" }>,
  { headers, auth }: GivenHeaders,
  tls: TlsOptions,
): Http & { readonly leftOut: readonly string[] } {
  const text = configured.url;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    const slash = text.includes("@") ? " In a user name or password write / as %2F, # as %23, ? as %3F, @ as %40." : "";
    throw new UsageError(
      `${JSON.stringify(withoutUser(text))} is no valid URL: write it as https://host[:port]/path.${slash}`,
    );
  }
  const url = new URL(text);
  const own = Object.entries(configured.headers ?? {}).map(([name, value]) =>
    headerOf(`${name}: ${value}`, `the header ${name} of the target`),
  );
  const all = [
    url.username === "" ? [] : [basic(url)],
    own,
    ...headers,
    auth === undefined ? [] : [["Authorization", auth.value] as const],
  ].reduce(over);
  url.username = "";
  url.password = "";
  url.hash = "";
  const fixed = all.filter(([name]) => isProtocolHeader(name));
  return {
    ...{ kind: "http", url, tls },
    headers: all.filter((each) => !fixed.includes(each)),
    leftOut: fixed.map(([name]) => name),
  };
}

// --- internal ---

/** A text that can't be read as a URL, for a message: all before its last @ may be a password. */
const withoutUser = (text: string): string => text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1…@");

function over(lower: readonly Header[], upper: readonly Header[]): readonly Header[] {
  const names = new Set(upper.map(([name]) => name.toLowerCase()));
  return [...lower.filter(([name]) => !names.has(name.toLowerCase())), ...upper];
}

function authOf(split: Split, { env }: Machine): GivenHeaders["auth"] {
  const value = last(split, "auth");
  const variable = last(split, "auth-env");
  if (value !== undefined && variable !== undefined) {
    throw new UsageError("--auth and --auth-env are both given: keep one of them.");
  }
  if (value !== undefined) return { flag: "--auth", value: checked("--auth", value) };
  if (variable === undefined) return undefined;
  return { flag: "--auth-env", value: checked("--auth-env", variableOf(variable, "--auth-env", env)) };
}

function variableHeader(text: string, { env }: Machine): Header {
  const [, name, variable] = /^([^=:\s]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || variable === undefined) {
    throw new UsageError(
      `--header-env ${JSON.stringify(text)} names no variable: write it as NAME=VAR, such as X-Api-Key=API_KEY.`,
    );
  }
  return headerOf(`${name}: ${variableOf(variable, "--header-env", env)}`, `--header-env ${name}`);
}

function variableOf(name: string, flag: string, env: Machine["env"]): string {
  const value = env[name];
  if (value === undefined || value === "") {
    const reason = value === undefined ? "is not set" : "is empty";
    throw new UsageError(`${flag} names the variable ${JSON.stringify(name)}, which ${reason}: set it, and run again.`);
  }
  return value;
}

function fileHeaders(path: string | undefined, machine: Machine): readonly Header[] {
  if (path === undefined) return [];
  return readText(path, "--header-file", machine.cwd)
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [headerOf(line, `${path}: line ${index + 1}`)]));
}

/** A header from a text; `where` names it in a complaint, which shows no value that came from a file. */
function headerOf(text: string, where: string, hidden = where !== "-H"): Header {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(colon, 0)).trim();
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw new UsageError(`${where}${hidden ? "" : ` ${beginning(text)}`} is no header: write it as "Name: value".`);
  }
  return [name, checked(`${where}${hidden ? "" : ` ${name}`}`, text.slice(colon + 1).trim())];
}

function checked(flag: string, value: string): string {
  if (/[\r\n\0]/.test(value) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new UsageError(
      `The value of ${flag} has a character that no HTTP header may carry (a line break, say): quote it anew.`,
    );
  }
  return value;
}

const basic = (url: URL): Header => [
  "Authorization",
  `Basic ${Buffer.from(`${unescaped(url.username)}:${unescaped(url.password)}`).toString("base64")}`,
];
