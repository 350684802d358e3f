import { terminal } from "./escape.ts";
import type { Redact } from "./redact.ts";

type Piece =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "secret"; readonly marker: string }
  | { readonly is: "run"; readonly character: string; readonly count: number };

/** The text as one word of a POSIX shell; secrets are left to the shell to expand. The result is inert in a terminal. */
export function shellWord(text: string, redact: Redact): string {
  const pieces = split(text, redact);
  if (!pieces.every(isQuotable)) return `"$(${printing(pieces)})"`;
  if (pieces.some((piece) => piece.is === "secret") && pieces.every(isTame)) {
    return `"${pieces.map((piece) => (piece.is === "text" ? piece.text : marker(piece))).join("")}"`;
  }
  return pieces.map((piece) => (piece.is === "text" ? quoted(piece.text) : `"${marker(piece)}"`)).join("") || "''";
}

/** Commands that write exactly this text to standard output. */
export const shellPrint = (text: string, redact: Redact): string => printing(split(text, redact)) || "printf ''";

/** Whether the text can be quoted as it is: no control characters, no long runs. */
export const isShellQuotable = (text: string, redact: Redact): boolean => split(text, redact).every(isQuotable);

function split(text: string, redact: Redact): readonly Piece[] {
  const hidden = redact(text);
  if (hidden === text) return runs(text);
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of hidden.matchAll(/\$\{\w+\}|\$[A-Za-z_]\w*/g)) {
    // What stood in the text before redaction is no marker, and must not be expanded.
    if (text.includes(match[0])) continue;
    pieces.push(...runs(hidden.slice(from, match.index)), { is: "secret", marker: match[0] });
    from = match.index + match[0].length;
  }
  return [...pieces, ...runs(hidden.slice(from))];
}

function runs(text: string): readonly Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(/([A-Za-z0-9])\1{255,}/g)) {
    if (match.index > from) found.push({ is: "text", text: text.slice(from, match.index) });
    found.push({ is: "run", character: match[0].charAt(0), count: match[0].length });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ is: "text", text: text.slice(from) });
  return found;
}

const printing = (pieces: readonly Piece[]): string => pieces.map(printed).join("; ");

function printed(piece: Piece): string {
  if (piece.is === "secret") return `printf %s "${piece.marker}"`;
  if (piece.is === "run") return `printf '%0${piece.count}d' 0 | tr 0 ${piece.character}`;
  return isQuotable(piece) ? `printf %s ${quoted(piece.text)}` : `printf ${quoted(format(piece.text))}`;
}

/** The text as a format of printf, with bytes in octal for what can't be shown. A first `-` would be an option. */
const format = (text: string): string =>
  [...text.replaceAll("\\", "\\\\").replaceAll("%", "%%")]
    .map((character, index) =>
      isInert(character) && !(index === 0 && character === "-") ? character : octal(character),
    )
    .join("");

const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

const quoted = (text: string): string => (/^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const marker = (piece: Piece): string => (piece.is === "secret" ? piece.marker : "");

const isInert = (text: string): boolean => terminal(text) === text;

const isQuotable = (piece: Piece): boolean => piece.is === "secret" || (piece.is === "text" && isInert(piece.text));

const isTame = (piece: Piece): boolean => piece.is !== "text" || !/[$`"\\!]/.test(piece.text);
