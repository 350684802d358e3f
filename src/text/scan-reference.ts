/** How a text speaks of a tool by its name. */
export interface Reference {
  readonly name: string;
  /** Ordered: the reader is told to call it or to keep off it. Otherwise it is only named. */
  readonly order: boolean;
  readonly sentence: string;
}

/** The names in a text, each once, an order before a mention. A deprecation may name its successor in any words. */
export function references(text: string, names: readonly string[]): readonly Reference[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/);
  const deprecation = /\bdeprecat|\bobsolete\b|\bsuperseded\b|\breplaced by\b|\brenamed\b/i.test(text);
  return names.flatMap((name) => {
    const naming = sentences.filter((sentence) => isNamed(sentence, name));
    const ordering = deprecation ? undefined : naming.find((sentence) => orders(sentence, name));
    const sentence = ordering ?? naming[0];
    return sentence === undefined ? [] : [{ name, order: ordering !== undefined, sentence: sentence.trim() }];
  });
}

// --- internal ---

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** The name as a whole token: `greet` is not in `greetings`, nor `delay` in `set-delay`. */
const token = (name: string): string => `(?<![\\w-])(?<!\\w[./])${literal(name)}(?![\\w-]|[./]\\w)`;

/** A name that is also a word of the language counts only where it is set off as a name. */
const isWord = (name: string): boolean => /^[A-Za-z][a-z]*$/.test(name);

// No text speaks of a longer one, and a pattern of a megabyte can't be compiled.
const LONGEST = 1000;

function isNamed(sentence: string, name: string): boolean {
  if (name.length > LONGEST || !sentence.includes(name)) return false;
  if (!isWord(name)) return new RegExp(token(name)).test(sentence);
  const set = literal(name);
  return new RegExp(
    `[\`'"“‘*]${set}(?:\\(\\))?[\`'"”’*]|${token(name)}(?:\\(\\)| tool\\b)|\\btool ${token(name)}`,
  ).test(sentence);
}

const START = "(?:^|[,;:(–—-]\\s*|\\b(?:please|you|and|but|then)\\s+)";
const ACT = "(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?)";
const NEAR = "[^.;!?()]{0,60}?";

function orders(sentence: string, name: string): boolean {
  const it = `[\`'"“‘*]*${token(name)}`;
  return [
    `${START}(?:never|do not|don['’]t|must not|should not|should avoid|avoid)\\b${NEAR}\\b${ACT}\\b${NEAR}${it}`,
    `${START}(?:never|do not|don['’]t|must not|avoid)\\s+${ACT}?\\s*${it}`,
    `\\b(?:always|must|be sure to|make sure to|required to|have to first|need to first)\\b${NEAR}\\b${ACT}\\b${NEAR}${it}`,
    `\\bfirst,? ${ACT}\\b${NEAR}${it}`,
    `\\b(?:before|prior to|after) (?:you )?${ACT}\\b${NEAR}\\b${ACT}\\b${NEAR}${it}`,
    `\\b${ACT}\\b[^.;!?]{0,30}?${it}${NEAR}\\b(?:first|before|beforehand|prior to)\\b`,
    `${it}[\`'"”’*]*[^.;!?]{0,20}\\b(?:must|should|has to|needs to) (?:always |first |never |not )*be (?:used|called|invoked|run)\\b`,
  ].some((pattern) => new RegExp(pattern, "i").test(sentence));
}
