import { isObject } from "../model/json.ts";
import { cap } from "../text/escape.ts";
import type { Redact } from "../text/redact.ts";

/** Members of an object whatever their values are. */
export type ObjectLike = { readonly [name: string]: unknown };

export const isObjectLike = (value: unknown): value is ObjectLike => isObject(value);

/** What a server may put into a report: no secrets, and not more than a reader can bear. */
export function createBounds(redact: Redact) {
  // Redacted before the cut, or half a secret could remain; and after it, or the cut could make one.
  const text = (written: string, max = LONGEST): string => redact(cap(redact(written), max));
  return {
    text: (written: string): string => text(written),
    name: (written: string): string => text(written, LONGEST_NAME),
    /** The names of a list, each cut; beyond a thousand only their number. */
    names: (list: readonly string[] | null): readonly string[] =>
      firsts(list ?? [], MOST_NAMES).map((name) => text(name, LONGEST_NAME)),
    /** A JSON value with every string in it treated so, names of members too: a server chooses those of its capabilities. */
    value: (given: unknown): unknown => bounded(given, (written) => text(written, LONGEST_NAME), 0),
  };
}

// --- internal ---

const LONGEST = 2000;
const LONGEST_NAME = 300;
const MOST_NAMES = 1000;
const MOST_MEMBERS = 100;
const DEEPEST = 8;

function bounded(value: unknown, text: (written: string) => string, depth: number): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return "…";
  if (Array.isArray(value)) return firsts(value, MOST_MEMBERS).map((item) => bounded(item, text, depth + 1));
  const members = Object.entries(value);
  const kept = members
    .slice(0, MOST_MEMBERS)
    .map(([name, item]): [string, unknown] => [text(name), bounded(item, text, depth + 1)]);
  const rest = members.length - kept.length;
  return Object.fromEntries(rest === 0 ? kept : [...kept, ["…", `and ${rest} more`]]);
}

const firsts = <T>(list: readonly T[], max: number): readonly (T | string)[] =>
  list.length <= max ? list : [...list.slice(0, max), `… and ${list.length - max} more`];
