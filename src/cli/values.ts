import type { Split } from "./split.ts";
import { nearest, UsageError } from "./usage.ts";
import { last } from "./verb.ts";

/** The value of an option that must be one of a few words. */
export function choice<const T extends string>(
  split: Split,
  name: string,
  words: readonly T[],
  normal: (value: string) => string = (value) => value,
): T | undefined {
  const value = last(split, name);
  if (value === undefined) return undefined;
  const found = words.find((word) => word === normal(value));
  if (found !== undefined) return found;
  const meant = nearest(value, words);
  throw new UsageError(
    `--${name} ${JSON.stringify(value)} is none of ${words.join(", ")}${meant === undefined ? "" : `: did you mean ${meant}?`}`,
  );
}

const MOST = 999_999_999;

/** The value of an option that must be a whole number from `least` up. */
export function whole(split: Split, name: string, example: number, least: 0 | 1 = 1): number | undefined {
  const value = last(split, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
    const above = least === 0 ? "" : " above 0";
    const what = /^\d{10,}$/.test(value) ? `more than ${MOST}` : `no whole number${above}`;
    throw new UsageError(`--${name} ${JSON.stringify(value)} is ${what}: write it as --${name} ${example}.`);
  }
  return Number(value);
}

/** A switch: what the command line says, else what the file says. */
export function toggled(split: Split, name: string, otherwise = false): boolean {
  if (split.switches.has(name)) return true;
  return split.switches.has(`no-${name}`) ? false : otherwise;
}
