import { type Assessment, assessTallies, type Grade, gradeOf } from "../grade/grade.ts";
import type { TestDocument } from "../report/json-contract.ts";

/** The grade of a score of 0 to 100. */
export const computeGrade = (score: number): Grade => gradeOf(score);

/** What a score is made from; the tests of a report are so. Without `skipped` a test counts as measured. */
export type Scored = Pick<TestDocument, "category" | "required" | "passed"> & { readonly skipped?: boolean };

/** Scores tests as a report does: 70 for the required ones and 30 for the others, skips left out. */
export function computeScore(tests: readonly Scored[]): Omit<Assessment, "measured"> {
  const { measured, ...rest } = assessTallies(
    tests.map(({ category, required, passed, skipped }) => ({
      area: category,
      required,
      passed,
      measured: skipped !== true,
    })),
  );
  return rest;
}
