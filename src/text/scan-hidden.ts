/** Something in a text that a human who reads it can't see. */
export interface Hidden {
  readonly what: string;
  /** Code points, as `U+200B`; what they spell, where they are tag characters. */
  readonly shown: string;
}

/**
 * Finds characters that hide: tag characters outside of flags, overrides of the reading direction, and zero-width
 * characters inside words or in rows. Joiners of emoji and of Arabic and Indic scripts are ordinary.
 */
export function hidden(text: string): readonly Hidden[] {
  const plain = text.replace(FLAG, "");
  return [...tags(plain), ...directions(plain), ...zeroWidths(plain), ...selectors(plain)];
}

// --- internal ---

const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,16}\u{E007F}/gu;
const TAGS = /[\u{E0000}-\u{E007F}]+/gu;
const OVERRIDE = /[\u202D\u202E]/gu;
const DIRECTION = /[\u202A-\u202C\u2066-\u2069]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
// Scripts whose words are written without any joiner.
const LETTER = "[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}]";
const ZERO = "[\\u200B-\\u200D\\u2060-\\u2064\\u180E\\uFEFF\\u115F\\u1160\\u3164\\uFFA0]";
const IN_WORD = new RegExp(`(?<=${LETTER})${ZERO}+(?=${LETTER})`, "gu");
const IN_ROW = new RegExp(`${ZERO}{3,}`, "gu");
const SELECTORS = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu;

const found = (text: string, pattern: RegExp, what: string): readonly Hidden[] =>
  [...text.matchAll(pattern)].map(([characters]) => ({ what, shown: points(characters) }));

function tags(text: string): readonly Hidden[] {
  return [...text.matchAll(TAGS)].map(([characters]) => {
    const spelt = [...characters].map((each) => String.fromCodePoint((each.codePointAt(0) ?? 0) - 0xe0000)).join("");
    return { what: "tag characters", shown: JSON.stringify(spelt.replace(/[^\x20-\x7e]/g, "?").slice(0, 80)) };
  });
}

/** Isolates and embeddings are how right-to-left texts are set right; an override shows letters in another order. */
const directions = (text: string): readonly Hidden[] => [
  ...found(text, OVERRIDE, "an override of the reading direction"),
  ...(RIGHT_TO_LEFT.test(text) ? [] : found(text, DIRECTION, "a change of the reading direction")),
];

function zeroWidths(text: string): readonly Hidden[] {
  const row = found(text, IN_ROW, "zero-width characters in a row");
  return row.length > 0 ? row : found(text, IN_WORD, "a zero-width character inside a word");
}

const selectors = (text: string): readonly Hidden[] => found(text, SELECTORS, "variation selectors in a row");

const points = (characters: string): string =>
  [...characters]
    .slice(0, 4)
    .map((each) => `U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(" ");
