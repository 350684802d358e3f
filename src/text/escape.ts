import { count } from "./count.ts";

// Controls, format characters, lone surrogates, line and paragraph separators, and all that is drawn as nothing.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text made inert: whatever could steer a terminal or hide from a reader is shown as an escape like `\u001b`. */
export function terminal(text: string, options: { readonly newlines?: boolean } = {}): string {
  return text.replace(UNSAFE, (character) =>
    character === "\n" && options.newlines === true ? character : (SHORT[character] ?? escaped(character)),
  );
}

/** The first `max` code points, and how many were left out. */
export function cap(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = 0;
  let end = 0;
  let left = 0;
  for (const character of text) {
    if (kept < max) {
      kept += 1;
      end += character.length;
    } else left += 1;
  }
  return left === 0 ? text : `${text.slice(0, end)}… (+${count(left, "character")})`;
}

/** The text on one line: inert, runs of blanks as one space, at most `max` code points. */
export const oneLine = (text: string, max: number): string =>
  cap(terminal(text.replace(/[ \t\r\n\v\f]+/g, " ").trim()), max);

/** The value as JSON on one line, in which whatever could steer a terminal or hide from a reader is an escape. */
export const json = (value: unknown): string => inertJson(JSON.stringify(value));

/**
 * A JSON text as JSON.stringify writes it, made inert. Its value stays, but for lone surrogates, which some parsers
 * refuse: they become the text of an escape. Newlines between tokens stay.
 */
export const inertJson = (text: string): string =>
  text
    .replace(/\\u(d[89a-f][0-9a-f]{2})|\\./g, (found, lone) => (lone === undefined ? found : `\\\\u${lone}`))
    .replace(UNSAFE, (found) =>
      found === "\n"
        ? found
        : [...Array(found.length).keys()]
            .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`)
            .join(""),
    )
    // A CI system that prints it would take these for commands of its own, wherever they stand.
    .replace(/##(?=(?:vso|teamcity)?\[)/g, "\\u0023#");

// --- internal ---

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
