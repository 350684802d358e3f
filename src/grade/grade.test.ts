import { expect, test } from "bun:test";
import type { Area, Row } from "../model/catalog.ts";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import type { Verdict } from "../model/report.ts";
import { assess, atLeast, gradeOf, strictFindings } from "./grade.ts";

const failed = fail("code -32602", "code 0");
const broken = blocked("the opening failed");
const error: Outcome = { status: "error", because: "a bug" };

const one = (required: boolean, outcome: Outcome, area: Area = "tools", level: Row["level"] = "MUST"): Verdict => ({
  row: {
    id: `${area}-x`,
    area,
    transports: ["http"],
    required,
    level,
    section: "https://example.com/",
    requirement: "x",
  },
  title: "x",
  why: "x",
  fix: "x",
  required,
  outcome,
  evidence: [],
  ms: 1,
});

const many = (count: number, required: boolean, outcome: Outcome) =>
  Array.from({ length: count }, () => one(required, outcome));

const scoreOf = (...groups: readonly (readonly Verdict[])[]) => assess(groups.flat()).score;

test("required rows weigh 70 and optional ones 30, of what was measured", () => {
  expect(scoreOf(many(3, true, pass("x")), many(1, true, failed), many(2, false, pass("x")))).toBe(82.5);
  expect(scoreOf(many(1, true, pass("x")), many(1, true, broken), many(3, false, failed))).toBe(35);
  expect(
    scoreOf(many(1, true, pass("x")), many(9, true, skipped("x")), many(9, false, error), many(1, false, failed)),
  ).toBe(70);
});

test("a side that measured nothing leaves the score to the other", () => {
  expect(scoreOf(many(1, true, pass("x")), many(2, true, failed), many(2, false, skipped("x")))).toBe(33.3);
  expect(scoreOf(many(2, false, pass("x")), many(1, false, failed))).toBe(66.7);
});

test("a run that measured nothing is 0, F and a fail", () => {
  const { score, grade, overall, measured } = assess(many(3, true, skipped("x")));
  expect({ score, grade, overall, measured }).toEqual({ score: 0, grade: "F", overall: "fail", measured: 0 });
  expect(assess([])).toEqual({
    grade: "F",
    score: 0,
    overall: "fail",
    measured: 0,
    summary: { total: 0, passed: 0, failed: 0, required: 0, requiredPassed: 0, skipped: 0 },
    categories: {},
  });
});

test("halves round up, and the grade is taken from the rounded score", () => {
  // 1799 of 2000 are 89.95.
  const { score, grade } = assess([...many(1799, true, pass("x")), ...many(201, true, failed)]);
  expect({ score, grade }).toEqual({ score: 90, grade: "A" });
  expect([100, 90, 89.9, 75, 74.9, 60, 59.9, 40, 39.9, 0].map(gradeOf).join("")).toBe("AABBCCDDFF");
});

test("overall looks at required rows first", () => {
  expect(assess([one(true, pass("x")), one(false, pass("x")), one(true, error)]).overall).toBe("pass");
  expect(assess([one(true, pass("x")), one(false, failed)]).overall).toBe("partial");
  expect(assess([one(true, pass("x")), one(false, broken)]).overall).toBe("partial");
  expect(assess([one(true, broken), one(false, pass("x"))]).overall).toBe("fail");
  expect(assess([one(true, failed), one(false, pass("x"))]).overall).toBe("fail");
});

test("skips and tester errors count as passed and as skipped", () => {
  const { summary, categories, measured } = assess([
    one(true, pass("x"), "security"),
    one(true, skipped("x"), "security"),
    one(false, error, "security"),
    one(true, failed, "transport"),
    one(false, broken, "transport"),
  ]);
  expect(summary).toEqual({ total: 5, passed: 3, failed: 2, required: 3, requiredPassed: 2, skipped: 2 });
  expect(Object.entries(categories)).toEqual([
    ["transport", { passed: 0, total: 2, skipped: 0 }],
    ["security", { passed: 3, total: 3, skipped: 2 }],
  ]);
  expect(measured).toBe(3);
});

test("strict findings are required, not passed and backed by the specification", () => {
  const found = [one(true, failed), one(true, broken), one(true, failed, "tools", "schema")];
  const spared = [
    one(true, failed, "tools", "inferred"),
    one(true, broken, "tools", "heuristic"),
    one(false, failed),
    one(true, pass("x")),
    one(true, skipped("x")),
    one(true, error),
  ];
  expect(strictFindings([...spared, ...found])).toEqual(found);
});

test("a grade is at least itself and what is worse", () => {
  expect(atLeast("B", "B")).toBe(true);
  expect(atLeast("A", "F")).toBe(true);
  expect(atLeast("C", "B")).toBe(false);
  expect(atLeast("F", "D")).toBe(false);
});
