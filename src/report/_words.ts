import { isBacked } from "../model/catalog.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Verdict } from "../model/report.ts";

/** One line that says what became of a row. */
export function details(outcome: Outcome): string {
  switch (outcome.status) {
    case "pass":
      return outcome.note === undefined ? outcome.saw : `${outcome.saw} (${outcome.note})`;
    case "fail":
      return `expected ${outcome.expected}, got ${outcome.actual}${outcome.note === undefined ? "" : ` (${outcome.note})`}`;
    case "skipped":
      return `Skipped: ${outcome.because}`;
    case "blocked":
      return `Cannot be evaluated: ${outcome.because}`;
    case "error":
      return `Tester error: ${outcome.because}`;
  }
}

/** The warnings of a run, each once; beyond fifty only their number. */
export function warningsOf(warnings: readonly string[]): readonly string[] {
  const distinct = [...new Set(warnings)];
  const rest = distinct.length - MOST;
  return rest <= 0 ? distinct : [...distinct.slice(0, MOST), `and ${rest} more ${rest === 1 ? "warning" : "warnings"}`];
}

/** The last `max` lines of a text that aren't blank. */
export const lastLines = (text: string, max: number): readonly string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-max);

/** What a reader must know of a failed row that nothing in the specification backs. */
export function disclaimer({ row, required }: Verdict): string | undefined {
  if (isBacked(row)) return undefined;
  return required
    ? "required by this catalog, not by the specification"
    : `${row.level}: says what was seen, no rule is claimed to be broken`;
}

/** The items by their key, in order of first appearance. Node 20 has no Map.groupBy. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

const MOST = 50;
