import { cap, terminal } from "../text/escape.ts";
import type { Redact } from "../text/redact.ts";
import { lastLines } from "./_words.ts";

export type Lines = readonly string[];
export type Paint = (text: string) => string;

/** How text is put on a terminal: its width, its marks and its colours. */
export interface Page {
  readonly width: number;
  /** Whether there is no room for a column of labels. */
  readonly narrow: boolean;
  readonly mark: Readonly<Record<"fail" | "blocked" | "dash" | "full" | "empty" | "rule", string>>;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  /** Text that others wrote: redacted, inert, at most `max` code points. */
  say(text: string, max?: number): string;
  /** The last `max` lines of such a text. It is redacted whole, as a secret may run over the end of a line. */
  tail(text: string, max: number): Lines;
  /** The text after `lead`, wrapped under its own beginning; words that don't fit are broken. */
  paragraph(lead: string, text: string, paint?: Paint): Lines;
}

export interface PageOptions {
  readonly color: boolean;
  readonly redact: Redact;
  /** Default 80. */
  readonly width?: number;
  /** Whether a CI system reads along: nothing in a line may then be a command of its. Default false. */
  readonly ci?: boolean;
  /** Whether marks outside ASCII may be used. Default true. */
  readonly unicode?: boolean;
}

export function createPage({ color, redact, width = 80, unicode = true }: PageOptions): Page {
  const sgr = (on: number, off: number): Paint =>
    color ? (text) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`) : (text) => text;
  const say: Page["say"] = (text, max = 600) => {
    const said = cap(terminal(redact(text)), max);
    return unicode ? said : said.replaceAll("…", "...");
  };
  return {
    width,
    narrow: width < 60,
    mark: unicode ? DRAWN : TYPED,
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    red: sgr(31, 39),
    green: sgr(32, 39),
    yellow: sgr(33, 39),
    cyan: sgr(36, 39),
    say,
    tail: (text, max) => lastLines(redact(text), max).map((line) => say(line)),
    paragraph(lead, text, paint = (line) => line) {
      const indent = columns(lead);
      return wrap(text, Math.max(20, width - indent)).map(
        (line, index) => `${index === 0 ? lead : " ".repeat(indent)}${paint(line)}`,
      );
    },
  };
}

/** How many columns a terminal needs for the text; our own colours need none. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text.replace(/\u001b\[\d+m/g, "")) {
    if (/\p{M}/u.test(character)) continue;
    sum += WIDE.test(character) ? 2 : 1;
  }
  return sum;
}

/** The text filled up with blanks to `width` columns. */
export const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - columns(text)));

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3ffff}]|\p{Emoji_Presentation}/u;

const DRAWN = { fail: "✗", blocked: "⊘", dash: "—", full: "█", empty: "░", rule: "─" };
const TYPED = { fail: "x", blocked: "o", dash: "-", full: "#", empty: ".", rule: "-" };

function wrap(text: string, width: number): Lines {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(" ").flatMap((each) => broken(each, width))) {
    if (line !== undefined && columns(line) + 1 + columns(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === undefined ? word : `${line} ${word}`;
  }
  return [...lines, line ?? ""];
}

function broken(word: string, width: number): Lines {
  if (columns(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (columns(part) + columns(character) > width) {
      // Rather between the parts of an id or a path than anywhere.
      const end = /^.*[-/_.,:&?=](?=.)/u.exec(part)?.[0] ?? "";
      const kept = end.length > part.length / 2 ? end : part;
      parts.push(kept);
      part = part.slice(kept.length);
    }
    part += character;
  }
  return [...parts, part];
}
