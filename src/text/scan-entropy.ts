/** How hard identifiers made one after the other are to guess, as far as they tell themselves. */
export interface Randomness {
  /** At most so many bits differ from one to the next without an order; a hash of a counter looks random. */
  readonly bits: number;
  /** Characters that these bits are in. */
  readonly characters: number;
  /** A part that counts up: a counter or a clock. */
  readonly rising: boolean;
}

/** Compares identifiers in the order in which they were made. At least two, and all distinct. */
export function randomness(ids: readonly string[]): Randomness {
  const shortest = Math.min(...ids.map((id) => id.length));
  const fixed = new Set(risingPositions(ids, shortest));
  const varying = Array.from({ length: shortest }, (_, n) => n).filter(
    (n) => !fixed.has(n) && ids.some((id) => id[n] !== ids[0]?.[n]),
  );
  const used = new Set(ids.flatMap((id) => varying.map((n) => id[n] ?? "")));
  return {
    bits: Math.round(varying.length * Math.log2(alphabetOf([...used].join("")))),
    characters: varying.length,
    rising: fixed.size > 0,
  };
}

// --- internal ---

/** The size of the smallest usual alphabet that has all these characters. */
function alphabetOf(characters: string): number {
  if (/^\d*$/.test(characters)) return 10;
  if (/^[\da-f]*$/.test(characters) || /^[\dA-F]*$/.test(characters)) return 16;
  if (/^[\da-z]*$/.test(characters) || /^[\dA-Z]*$/.test(characters)) return 32;
  return /^[\dA-Za-z]*$/.test(characters) ? 62 : 64;
}

// A clock or a counter moves by a small part of itself; five random numbers lie so close together once in 10^12.
const NEAR = 1e-3;
const SHORTEST = 4;
const LONGEST = 16;

/** The positions of a number that rises slowly from each identifier to the next. */
function risingPositions(ids: readonly string[], shortest: number): readonly number[] {
  if (
    ids.every((id) => /^\D*\d{1,9}\D*$/.test(id)) &&
    rises(
      ids.map((id) => Number(/\d+/.exec(id)?.[0])),
      1,
    )
  ) {
    return Array.from({ length: shortest }, (_, n) => n);
  }
  for (let start = 0; start < shortest; start += 1) {
    // Only where a number begins: at the start, or behind something that is no letter or digit.
    if (start > 0 && !ids.every((id) => !/[\da-z]/i.test(id[start - 1] ?? "") || id[start - 1] === "_")) continue;
    for (let length = Math.min(LONGEST, shortest - start); length >= SHORTEST; length -= 1) {
      const parts = ids.map((id) => id.slice(start, start + length));
      if (SYSTEMS.some((system) => isClock(parts, system))) return Array.from({ length }, (_, n) => start + n);
    }
  }
  return [];
}

interface System {
  readonly radix: number;
  readonly digits: RegExp;
  /** How far the first digit that moves may go: random ones go anywhere, also behind a fixed prefix. */
  readonly span: number;
}

const SYSTEMS: readonly System[] = [
  { radix: 10, digits: /^\d+$/, span: 5 },
  { radix: 16, digits: /^[\da-f]+$/i, span: 2 },
  { radix: 36, digits: /^[\da-z]+$/i, span: 3 },
];

function isClock(parts: readonly string[], { radix, digits, span }: System): boolean {
  if (!parts.every((part) => digits.test(part))) return false;
  const [first = ""] = parts;
  const moving = [...first].findIndex((digit, n) => parts.some((part) => part[n] !== digit));
  const leads = parts.map((part) => Number.parseInt(part.charAt(moving), radix));
  return (
    Math.max(...leads) - Math.min(...leads) <= span &&
    rises(
      parts.map((part) => Number.parseInt(part, radix)),
      NEAR,
    )
  );
}

/** Whether each is larger than the one before, and all lie within a small part of the largest (1: within 1000). */
function rises(numbers: readonly number[], near: number): boolean {
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const up = numbers.every((each, n) => n === 0 || each > (numbers[n - 1] ?? 0));
  return up && last > 0 && (near === 1 ? last - first < 1000 : (last - first) / last < near);
}
