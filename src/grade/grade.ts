import { AREAS, type Area, isBacked } from "../model/catalog.ts";
import type { Verdict } from "../model/report.ts";

export type Grade = "A" | "B" | "C" | "D" | "F";
export type Overall = "pass" | "partial" | "fail";

/** Counts as the report's contract defines them: skips and tester errors are among the passed. */
export interface Summary {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly required: number;
  readonly requiredPassed: number;
  readonly skipped: number;
}

export interface CategorySummary {
  readonly passed: number;
  readonly total: number;
  readonly skipped: number;
}

/** What the verdicts of a run come to. */
export interface Assessment {
  readonly grade: Grade;
  readonly score: number;
  readonly overall: Overall;
  /** How many rows measured something. */
  readonly measured: number;
  readonly summary: Summary;
  /** In the order of AREAS; only areas with rows. */
  readonly categories: Readonly<Record<string, CategorySummary>>;
}

/** What a score is made from: one row, and what became of it. */
export interface Tally {
  readonly area: Area;
  readonly required: boolean;
  /** False for a failed or blocked row. */
  readonly passed: boolean;
  /** Whether it counts: pass, fail or blocked. */
  readonly measured: boolean;
}

export const assess = (verdicts: readonly Verdict[]): Assessment =>
  assessTallies(
    verdicts.map((verdict) => ({
      area: verdict.row.area,
      required: verdict.required,
      passed: !isFinding(verdict),
      measured: isMeasured(verdict),
    })),
  );

/** The same of rows that come from a report. */
export function assessTallies(rows: readonly Tally[]): Assessment {
  const measured = rows.filter((row) => row.measured);
  const score = scoreOf(measured);
  return {
    grade: gradeOf(score),
    score,
    overall: overallOf(measured),
    measured: measured.length,
    summary: summarize(rows),
    categories: Object.fromEntries(
      AREAS.flatMap((area) => {
        const within = rows.filter((row) => row.area === area);
        return within.length === 0 ? [] : [[area, categoryOf(within)]];
      }),
    ),
  };
}

/** The grade of a score that is already rounded to one decimal. */
export function gradeOf(score: number): Grade {
  if (score >= 90) return "A";
  if (score >= 75) return "B";
  if (score >= 60) return "C";
  return score >= 40 ? "D" : "F";
}

/** Whether a grade is as good as `min`, or better. */
export const atLeast = (grade: Grade, min: Grade): boolean => ORDER.indexOf(grade) >= ORDER.indexOf(min);

/** What trips --strict: required rows that failed or are blocked, if the specification backs them. */
export const strictFindings = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  verdicts.filter((verdict) => verdict.required && isFinding(verdict) && isBacked(verdict.row));

/** Whether the row counts as not passed: failed or blocked. */
export const isFinding = ({ outcome }: Verdict): boolean => outcome.status === "fail" || outcome.status === "blocked";

/** Whether the row measured something: pass, fail or blocked. */
export const isMeasured = ({ outcome }: Verdict): boolean => outcome.status !== "skipped" && outcome.status !== "error";

const ORDER: readonly Grade[] = ["F", "D", "C", "B", "A"];

// In whole numbers, so that 89.95 is never 89.9.
function scoreOf(measured: readonly Tally[]): number {
  const required = sideOf(measured, true);
  const optional = sideOf(measured, false);
  if (required.total === 0 && optional.total === 0) return 0;
  if (required.total === 0) return tenths(1000 * optional.passed, optional.total);
  if (optional.total === 0) return tenths(1000 * required.passed, required.total);
  return tenths(
    700 * required.passed * optional.total + 300 * optional.passed * required.total,
    required.total * optional.total,
  );
}

const tenths = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator)) / 10;

function sideOf(measured: readonly Tally[], required: boolean): { readonly passed: number; readonly total: number } {
  const side = measured.filter((row) => row.required === required);
  return { passed: count(side, (row) => row.passed), total: side.length };
}

function overallOf(measured: readonly Tally[]): Overall {
  const findings = measured.filter((row) => !row.passed);
  if (measured.length === 0 || findings.some((row) => row.required)) return "fail";
  return findings.length === 0 ? "pass" : "partial";
}

function summarize(rows: readonly Tally[]): Summary {
  const required = rows.filter((row) => row.required);
  const { passed, total, skipped } = categoryOf(rows);
  return {
    total,
    passed,
    failed: total - passed,
    required: required.length,
    requiredPassed: count(required, (row) => row.passed),
    skipped,
  };
}

const categoryOf = (rows: readonly Tally[]): CategorySummary => ({
  passed: count(rows, (row) => row.passed),
  total: rows.length,
  skipped: count(rows, (row) => !row.measured),
});

const count = <T>(items: readonly T[], holds: (item: T) => boolean): number => items.filter(holds).length;
