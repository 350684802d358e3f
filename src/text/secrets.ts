import type { Header } from "../model/exchange.ts";
import type { Secret } from "./redact.ts";
import { isOrdinary } from "./variables.ts";

/** Headers that the user gave: whatever is in them is nobody else's business. */
export const secretsOfHeaders = (headers: readonly Header[]): readonly Secret[] =>
  headers.flatMap(([name, value]) => {
    // A server may give back one cookie of several.
    const parts =
      name.toLowerCase() === "cookie" ? value.split(";").map((each) => each.replace(/^[^=]*=/, "").trim()) : [];
    return [value, ...parts].map((each) => ({ name: name.toUpperCase().replaceAll("-", "_"), value: each }));
  });

/** The variables among these that hold a credential. */
export const secretsOfVariables = (variables: Readonly<Record<string, string>>): readonly Secret[] =>
  Object.entries(variables)
    // A setting such as LOG_LEVEL=error is an ordinary word, and taking it out would spoil every report.
    .filter(([name, value]) => !isOrdinary(name) && (CREDENTIAL.test(name) || looksSecret(value)))
    .map(([name, value]) => ({ name, value }));

/** Whether the variable says where this URL is: all of it, its beginning or its host. That is shown, as a URL that is typed. */
export function isPlace({ name, value }: Secret, url: string): boolean {
  if (CREDENTIAL.test(name) || !URL.canParse(url)) return false;
  const { host, hostname } = new URL(url);
  return /^https?:\/\//i.test(value) ? url.startsWith(value) : value === host || value === hostname;
}

/** The variables of our own environment that hold a credential by their name: for a child that inherits all of it. */
export const secretsOfEnvironment = (env: Readonly<Record<string, string | undefined>>): readonly Secret[] =>
  Object.entries(env).flatMap(([name, value = ""]) =>
    !isOrdinary(name) && CREDENTIAL.test(name) && value.length >= 8 && !/^(\/|[A-Z]:\\)/i.test(value)
      ? [{ name, value }]
      : [],
  );

/** Values of options of a command that are named like a credential: `--api-key VALUE` and `--token=VALUE`. */
export const secretsOfArguments = (args: readonly string[]): readonly Secret[] =>
  args.flatMap((arg, index) => {
    const [, option = "", own] = /^--?([a-z][\w.-]*)(?:=(.*))?$/is.exec(arg) ?? [];
    const value = own ?? args[index + 1] ?? "";
    // A file is named to be found, and an ordinary word is a setting.
    if (!CREDENTIAL_OPTION.test(option) || !looksSecret(value) || /^(?:[-.~/]|[a-z]:\\)/i.test(value)) return [];
    return [{ name: option.toUpperCase().replaceAll(/\W/g, "_"), value }];
  });

/** What in a URL is a credential: user info, and values of the query that are named like one. */
export function secretsOfUrl(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  for (const [name, value] of URL.canParse(text) ? new URL(text).searchParams : []) {
    if (CREDENTIAL.test(name)) secrets.push({ name: name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_"), value });
  }
  const user = /^https?:\/\/([^/?#@]*)@/i.exec(text)?.[1];
  if (user === undefined) return secrets;
  const colon = user.indexOf(":");
  const [name, password] = colon < 0 ? [user, ""] : [user.slice(0, colon), user.slice(colon + 1)];
  for (const value of [password, unescaped(password)]) secrets.push({ name: "PASSWORD", value });
  // A token may stand in the place of the name; a plain name is an ordinary word.
  if (password === "" || looksSecret(name)) {
    for (const value of [name, unescaped(name)]) secrets.push({ name: "USERNAME", value });
  }
  secrets.push({ name: "AUTH", value: Buffer.from(`${unescaped(name)}:${unescaped(password)}`).toString("base64") });
  return secrets;
}

/** The text with its %-escapes undone; a stray % is no mistake worth stopping for. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the user info of a URL has a % that starts no escape: programs differ in what they make of it. */
export function hasStrayPercent({ username, password }: URL): boolean {
  try {
    for (const part of [username, password]) decodeURIComponent(part);
    return false;
  } catch {
    return true;
  }
}

// --- internal ---

const CREDENTIAL = /token|key|secret|pass|pwd|auth|sig|code|credential|cookie|session|dsn|conn/i;
const CREDENTIAL_OPTION =
  /(?:^|[-_.])(?:\w*token|\w*secret|\w*password|passwd|pwd|pat|\w*key|credentials?|auth|authorization|bearer)$/i;
const looksSecret = (value: string): boolean => value.length >= 8 && !/^[a-z]+$|^[\d.]+$/i.test(value);
