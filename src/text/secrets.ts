import type { Header } from "../model/exchange.ts";
import type { Secret } from "./redact.ts";
import { isOrdinary } from "./variables.ts";

/** Headers that the user gave: whatever is in them is nobody else's business. */
export const secretsOfHeaders = (headers: readonly Header[]): readonly Secret[] =>
  headers.map(([name, value]) => ({ name: name.toUpperCase().replaceAll("-", "_"), value }));

/** The variables among these that hold a credential. */
export const secretsOfVariables = (variables: Readonly<Record<string, string>>): readonly Secret[] =>
  Object.entries(variables)
    // A setting such as LOG_LEVEL=error is an ordinary word, and taking it out would spoil every report.
    .filter(([name, value]) => !isOrdinary(name) && (CREDENTIAL.test(name) || looksSecret(value)))
    .map(([name, value]) => ({ name, value }));

/** The variables of our own environment that hold a credential by their name: for a child that inherits all of it. */
export const secretsOfEnvironment = (env: Readonly<Record<string, string | undefined>>): readonly Secret[] =>
  Object.entries(env).flatMap(([name, value = ""]) =>
    !isOrdinary(name) && CREDENTIAL.test(name) && value.length >= 8 && !/^(\/|[A-Z]:\\)/i.test(value)
      ? [{ name, value }]
      : [],
  );

/** What in a URL is a credential: user info, and values of the query that are named like one. */
export function secretsOfUrl(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  for (const [name, value] of URL.canParse(text) ? new URL(text).searchParams : []) {
    if (CREDENTIAL.test(name)) secrets.push({ name: name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_"), value });
  }
  const user = /^https?:\/\/([^/?#@]*)@/i.exec(text)?.[1];
  if (user === undefined) return secrets;
  const [name = "", password = ""] = user.split(":");
  for (const value of [password, unescaped(password)]) secrets.push({ name: "PASSWORD", value });
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

// --- internal ---

const CREDENTIAL = /token|key|secret|pass|pwd|auth|sig|code|credential|cookie|session|dsn|conn/i;
const looksSecret = (value: string): boolean => value.length >= 8 && !/^[a-z]+$|^[\d.]+$/i.test(value);
