import { base64Forms } from "./_base64.ts";

/** A value that must never be printed, and the name that stands for it. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Takes secrets out of a text. Applying it twice is the same as once. */
export type Redact = (text: string) => string;

// Anything shorter stands in half of all words.
const SHORTEST = 4;

/**
 * Replaces each secret, also where it is encoded, by `$NAME` (`${NAME}` where a letter follows), and what looks like a
 * credential in any URL by `$REDACTED`.
 */
export function createRedactor(secrets: readonly Secret[]): Redact {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    for (const form of forms(value)) if (!names.has(form)) names.set(form, variable(name));
  }
  if (names.size === 0) return withoutUrlCredentials;
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length).map(literal);
  // Markers come first so that a second pass leaves them alone.
  const markers = `\\$(?:\\{(?:${[...new Set(names.values())].join("|")})\\}|(?:${[...new Set(names.values())].join("|")})(?!\\w))`;
  const pattern = new RegExp([markers, ...longestFirst].join("|"), "g");
  return (text) =>
    withoutUrlCredentials(
      withoutBeginnings(
        text.replace(pattern, (found: string, start: number) => {
          const name = names.get(found);
          if (name === undefined) return found;
          return /\w/.test(text.charAt(start + found.length)) ? `\${${name}}` : `$${name}`;
        }),
        names,
      ),
    );
}

/** What follows where a text was cut: nothing, an ellipsis, or the end of the quotation that it stands in. */
const CUT = /^(?:$|["'`…\\])/;

/** Texts are capped before they come here: what is left of a secret that a cap cut goes, too, from a third of it on. */
function withoutBeginnings(text: string, names: ReadonlyMap<string, string>): string {
  let rest = text;
  for (const [form, name] of names) rest = withoutBeginning(rest, form, name);
  return rest;
}

function withoutBeginning(text: string, form: string, name: string): string {
  const least = Math.max(8, Math.ceil(form.length / 3));
  if (form.length <= least) return text;
  const start = form.slice(0, least);
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, Math.max(from, at + 1))) {
    let end = at + least;
    while (end < text.length && end - at < form.length && text[end] === form[end - at]) end++;
    if (!CUT.test(text.slice(end, end + 1))) continue;
    pieces.push(text.slice(from, at), `$${name}`);
    from = end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(from);
}

/** The URL without `user:password@`. */
export const withoutUserInfo = (url: string): string => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#\\]*@/i, "$1");

/** The text with the value of each query member that is named like a credential replaced by `$REDACTED`. */
export const withoutQueryCredentials = (text: string): string =>
  text.replace(
    // Unrolled: a choice for each character takes seconds for a long text.
    /([?&#;]([\w.[\]-]{1,64})=)([^&#;\s"'<>\\]*(?:\\(?!["nrt])[^&#;\s"'<>\\]*)*)/g,
    (found: string, start: string, key: string, value: string) =>
      value !== "" && isCredential(key) && !value.startsWith("$") ? `${start}$REDACTED` : found,
  );

const withoutUrlCredentials = (text: string): string =>
  withoutQueryCredentials(
    text.replace(/\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?!\$REDACTED@)[^\s/?#"'<>\\]*@/gi, "$1$$REDACTED@"),
  );

function isCredential(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) =>
    /^(?:key|auth|oauth|sig|pwd|pass|jwt|bearer)$|(?:token|secret|password|passwd|apikey|signature|credentials?|authorization)$/.test(
      word,
    ),
  );
}

function forms(value: string): readonly string[] {
  const bare = /^(?:bearer|basic|token)\s+(\S.*)$/is.exec(value)?.[1];
  const pair = /^basic\s/i.test(value) && bare !== undefined ? Buffer.from(bare, "base64").toString() : undefined;
  const password = pair?.slice(pair.indexOf(":") + 1);
  return [value, value.trim(), bare, pair, password]
    .flatMap((each) => (each === undefined || each.trim().length < SHORTEST ? [] : encodings(each)))
    .filter((each) => each.length >= SHORTEST);
}

function encodings(value: string): readonly string[] {
  const whole = value.toWellFormed();
  const json = inJson(value);
  const hex = Buffer.from(whole).toString("hex");
  const url = new URL("http://localhost/");
  url.search = whole;
  const percent = [
    encodeURIComponent(whole),
    encodeURI(whole),
    url.search.slice(1),
    new URLSearchParams([["", whole]]).toString().slice(1),
  ];
  return [
    value,
    ...percent,
    ...percent.map((each) => each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    inJson(json),
    json.replaceAll("/", "\\/"),
    json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ...base64Forms(whole),
    hex,
    hex.toUpperCase(),
    // As a web page says it.
    whole.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

// A shell must be able to expand it.
const variable = (name: string): string => name.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
