import { expect, test } from "bun:test";
import type { Row } from "../model/catalog.ts";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import type { Verdict } from "../model/report.ts";
import { expectedOf } from "./expected.ts";

const verdict = (id: string, outcome: Outcome): Verdict => ({
  row: { id } as Row,
  title: "",
  why: "",
  fix: "",
  required: true,
  outcome,
  evidence: [],
  ms: 0,
});
const verdicts = [
  verdict("fails", fail("a", "b")),
  verdict("is-blocked", blocked("no")),
  verdict("passes", pass("x")),
  verdict("is-skipped", skipped("no")),
  verdict("fails-too", fail("a", "b")),
];
const of = (...entries: { id: string; expires?: string }[]) =>
  expectedOf(
    verdicts,
    entries.map((entry) => ({ reason: "because", ...entry })),
    { file: "f", today: "2027-01-31" },
  );
const brief = ({ accepted, stale, unexpected }: ReturnType<typeof of>) => [
  accepted.map(({ id }) => id),
  stale.map(({ id, because }) => `${id} ${because}`),
  unexpected,
];

test("accepted failures are known, what passes is stale, and other failures are new", () => {
  expect(brief(of({ id: "fails" }, { id: "is-blocked" }, { id: "passes" }))).toEqual([
    ["fails", "is-blocked"],
    ["passes passes"],
    ["fails-too"],
  ]);
});

test("an entry holds through its last day", () => {
  expect(brief(of({ id: "fails", expires: "2027-01-31" }, { id: "fails-too", expires: "2027-01-30" }))).toEqual([
    ["fails"],
    ["fails-too expired"],
    ["is-blocked"],
  ]);
});

test("what didn't run or measured nothing says nothing of its entry", () => {
  expect(brief(of({ id: "is-skipped" }, { id: "not-run", expires: "2020-01-01" }))).toEqual([
    [],
    [],
    ["fails", "is-blocked", "fails-too"],
  ]);
});
