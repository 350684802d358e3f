/**
 * A text that a simple regular expression is likely to match: the first alternative, the fewest repeats, and `extra`
 * more where there is no limit. The caller tries whether it does match.
 */
export function textOf(source: string, extra: number): string | undefined {
  if (source.length > LONGEST) return undefined;
  const reading: Reading = { source, extra, at: 0 };
  const text = alternatives(reading);
  return reading.at === source.length && text.length <= MOST_TEXT ? text : undefined;
}

const LONGEST = 500;
const MOST_TEXT = 10_000;
const CHARACTERS = "a0A_-.1bBz9 /:@#,;+=!?*&%$(){}[]<>|~^'\"\\`\n\t";

interface Reading {
  readonly source: string;
  readonly extra: number;
  at: number;
}

function alternatives(reading: Reading): string {
  const first = sequence(reading);
  while (taken(reading, /\|/y) !== undefined) sequence(reading);
  return first;
}

function sequence(reading: Reading): string {
  let text = "";
  while (reading.at < reading.source.length && !/[|)]/.test(reading.source.charAt(reading.at))) {
    const part = atom(reading);
    text = `${text}${part.repeat(times(reading, part))}`.slice(0, MOST_TEXT + 1);
  }
  return text;
}

function atom(reading: Reading): string {
  const group = taken(reading, /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y);
  if (group !== undefined) {
    const inner = alternatives(reading);
    taken(reading, /\)/y);
    return /^\(\?<?[=!]/.test(group) ? "" : inner;
  }
  if (taken(reading, /[\^$]|\\[bB]/y) !== undefined) return "";
  const set = taken(reading, /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u.{4}|x..|[pP]\{[^}]*\}|.)|\./sy);
  return set === undefined ? (taken(reading, /./sy) ?? "") : character(set);
}

function character(set: string): string {
  for (const flags of ["u", ""]) {
    try {
      const one = new RegExp(`^${set}$`, flags);
      const found = [...CHARACTERS].find((each) => one.test(each));
      if (found !== undefined) return found;
    } catch {}
  }
  return "";
}

function times(reading: Reading, part: string): number {
  const quantifier = taken(reading, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
  if (quantifier === undefined) return 1;
  const [least = 0, most = least] = quantifier.startsWith("{")
    ? quantifier
        .slice(1)
        .split(/[,}]/, 2)
        .map((text) => (text === "" ? Number.POSITIVE_INFINITY : Number(text)))
    : quantifier.startsWith("+")
      ? [1, Number.POSITIVE_INFINITY]
      : [0, quantifier.startsWith("*") ? Number.POSITIVE_INFINITY : 1];
  const wanted = Math.min(least + reading.extra, most);
  return Math.min(wanted, Math.ceil(MOST_TEXT / Math.max(part.length, 1)));
}

function taken(reading: Reading, token: RegExp): string | undefined {
  token.lastIndex = reading.at;
  const found = token.exec(reading.source)?.[0];
  reading.at += found?.length ?? 0;
  return found;
}
