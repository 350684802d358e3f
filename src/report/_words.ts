import { isBacked } from "../model/catalog.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Verdict } from "../model/report.ts";
import { count } from "../text/count.ts";
import type { ReportDocument } from "./json-contract.ts";

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
  return rest <= 0 ? distinct : [...distinct.slice(0, MOST), `and ${count(rest, "more warning")}`];
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

/** Said of a run in which every row was skipped. */
export const NOTHING_MEASURED = "No test measured anything";

interface ExpectationLine {
  readonly id: string;
  readonly text: string;
  /** Whether it is one that the run fails by. */
  readonly fails: boolean;
}

/** What the file of expected failures comes to, a line for each entry that is worth one. */
export function expectationLines({
  expectedFailures,
}: Pick<ReportDocument, "expectedFailures">): readonly ExpectationLine[] {
  if (expectedFailures === undefined) return [];
  const { accepted, stale, unexpected } = expectedFailures;
  const until = (expires: string | undefined): string => (expires === undefined ? "" : ` (until ${expires})`);
  return [
    ...unexpected.map((id) => ({ id, text: "fails, and is not expected to", fails: true })),
    ...stale.map(({ id, because, reason, expires }) => ({
      id,
      text: `${because === "passes" ? "passes now" : `expired ${expires ?? ""}`.trim()}: take it out of the file (${reason})`,
      fails: true,
    })),
    ...accepted.map(({ id, reason, expires }) => ({ id, text: `accepted${until(expires)}: ${reason}`, fails: false })),
  ];
}

/** All counts on one line: `85 checks: 70 passed, 3 failed (1 required), 12 skipped`. */
export function totals(verdicts: readonly Verdict[]): string {
  const of = (status: string) => verdicts.filter((verdict) => verdict.outcome.status === status);
  const parts = [
    `${of("pass").length} passed`,
    `${of("fail").length} failed${burden(of("fail"))}`,
    ...(of("blocked").length === 0 ? [] : [`${of("blocked").length} blocked${burden(of("blocked"))}`]),
    `${of("skipped").length} skipped`,
    ...(of("error").length === 0 ? [] : [count(of("error").length, "tester error")]),
  ];
  return `${count(verdicts.length, "check")}: ${parts.join(", ")}`;
}

/** The items by their key, in order of first appearance. Node 20 has no Map.groupBy. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

// --- internal ---

const MOST = 50;

/** How many the specification requires, and apart from them those that only the catalog does. */
function burden(verdicts: readonly Verdict[]): string {
  const required = verdicts.filter((verdict) => verdict.required);
  const backed = required.filter((verdict) => isBacked(verdict.row)).length;
  const parts = [
    ...(backed === 0 ? [] : [`${backed} required`]),
    ...(backed === required.length ? [] : [`${required.length - backed} required by this catalog only`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
