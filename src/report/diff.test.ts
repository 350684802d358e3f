import { expect, test } from "bun:test";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import type { Report } from "../model/report.ts";
import { report, row, verdict } from "./_specimen.ts";
import { compareReports, sectionsOf, totalsOf } from "./diff.ts";
import { diffToJson } from "./diff-json.ts";
import { diffToMarkdown } from "./diff-markdown.ts";
import { readReport } from "./diff-read.ts";
import { diffToTerminal } from "./diff-terminal.ts";
import { toJson } from "./json.ts";

const keep = (text: string) => text;
const failed = fail("one thing", "another");
const error: Outcome = { status: "error", because: "a bug of ours" };

type Outcomes = Readonly<Record<string, Outcome>>;
const made = (outcomes: Outcomes, more: Partial<Report> = {}): string =>
  toJson(
    report(
      Object.entries(outcomes).map(([id, outcome]) => verdict(row(id), outcome)),
      more,
    ),
    { redact: keep },
  );
const compare = (a: string, b: string) => compareReports(readReport(a, "a.json"), readReport(b, "b.json"));
const ids = (a: string, b: string) =>
  Object.fromEntries(
    sectionsOf(compare(a, b)).flatMap(([title, changes]) =>
      changes.length === 0 ? [] : [[title, changes.map(({ id }) => id)]],
    ),
  );

test("every change stands in the list that it belongs to", () => {
  const a = made({
    ...{ "was-pass": pass("x"), "was-skip": skipped("x"), "was-error": error, "was-fail": failed },
    ...{ "was-blocked": blocked("x"), "fail-skip": failed, "pass-skip": pass("x"), "skip-pass": skipped("x") },
    ...{ "still-skip": skipped("x"), "skip-error": skipped("x"), "fail-blocked": failed, "same-pass": pass("x") },
    "only-a": failed,
  });
  const b = made({
    ...{ "was-pass": failed, "was-skip": failed, "was-error": blocked("x"), "was-fail": pass("x") },
    ...{ "was-blocked": pass("x"), "fail-skip": skipped("x"), "pass-skip": error, "skip-pass": pass("x") },
    ...{ "still-skip": skipped("y"), "skip-error": error, "fail-blocked": blocked("x"), "same-pass": pass("y") },
    "only-b": failed,
  });
  expect(ids(a, b)).toEqual({
    "Newly failing": ["was-pass", "was-skip", "was-error"],
    Fixed: ["was-fail", "was-blocked"],
    "Newly skipped": ["fail-skip", "pass-skip"],
    "No longer skipped": ["skip-pass"],
    New: ["only-b"],
    Gone: ["only-a"],
  });
  const diff = compare(a, b);
  expect(diff.stillFailing.map(({ id }) => id)).toEqual(["fail-blocked"]);
  expect(totalsOf(diff)).toBe(
    "3 newly failing, 2 fixed, 2 newly skipped, 1 no longer skipped, 1 new, 1 gone, 4 as before (1 of them failing)",
  );
});

test("a report against itself: nothing changed", () => {
  const a = made({ "tools-x": pass("x"), "tools-y": failed });
  expect(ids(a, a)).toEqual({});
  expect(totalsOf(compare(a, a))).toBe("nothing changed, 2 as before (1 of them failing)");
  expect(diffToTerminal(compare(a, a), { color: false, redact: keep })).toContain("D 50.0 -> D 50.0 (unchanged)");
});

/** What mcp-compliance wrote before 0.19: no `skipped`, and skips scored as passes. */
const older = (tests: readonly (readonly [id: string, passed: boolean, details: string])[]) =>
  JSON.stringify({
    ...{
      schemaVersion: "1",
      kind: "diff",
      specVersion: "2025-11-25",
      toolVersion: "0.16.4",
      url: "https://example.com/mcp",
    },
    ...{ timestamp: "2026-01-01T00:00:00Z", score: 75, grade: "B", overall: "partial", warnings: [], badge: {} },
    tests: tests.map(([id, passed, details]) => ({
      ...{ id, name: id, category: "security", required: true, passed, details, durationMs: 1 },
    })),
  });

test("a report of the older tool: skips are read from the wording, and it is scored anew, with a note", () => {
  const a = older([
    ["s-one", true, "Skipped: server does not require auth"],
    ["s-two", true, "No tools available to test (skipped)"],
    ["s-three", true, "Server responded with JSON (not SSE), so the event field check is not applicable"],
    ["s-four", true, "HTTP 401"],
    ["s-five", false, "Skipped: tools/list failed"],
    ["s-six", true, "No tools to validate"],
    ["s-seven", true, "No tools with string parameters to test"],
    ["s-eight", true, "Server declares all capabilities (tools, resources, prompts) — no undeclared methods to test"],
    ["s-nine", true, "No internal IP addresses found in error responses"],
  ]);
  const b = made({
    "s-one": failed,
    "s-two": pass("x"),
    "s-three": skipped("x"),
    "s-four": pass("x"),
    "s-five": failed,
    "s-six": skipped("x"),
    "s-seven": skipped("x"),
    "s-eight": skipped("x"),
    "s-nine": pass("x"),
  });
  expect(ids(a, b)).toEqual({ "Newly failing": ["s-one"], "No longer skipped": ["s-two"] });
  const { notes, a: side } = compare(a, b);
  expect({ score: side.score, grade: side.grade }).toEqual({ score: 66.7, grade: "C" });
  expect(notes).toEqual([
    "a.json comes from an older tool that marks no skips: they are read from the wording (6 found).",
    "a.json itself says B 75: here both are scored as this version does, skips left out (C 66.7).",
  ]);
});

test("what can't be compared is refused by name, with the reason and the mend", () => {
  const good = made({ "tools-x": pass("x") });
  const changed = (change: (report: Record<string, unknown>) => unknown): string =>
    JSON.stringify(change(JSON.parse(good)));
  const refusals: readonly (readonly [text: string, message: RegExp])[] = [
    ["", /a\.json is empty/],
    [good.slice(0, 200), /a\.json is cut off or damaged/],
    ["# MCP report", /a\.json is no JSON/],
    ["null", /JSON of another kind/],
    ["[]", /JSON of another kind/],
    ['{"version":"2.1.0","runs":[]}', /a SARIF log/],
    [changed((each) => ({ ...each, schemaVersion: "2" })), /schemaVersion "2", and this version knows "1" only/],
    [changed((each) => ({ ...each, schemaVersion: 1 })), /schemaVersion 1, /],
    [changed((each) => ({ ...each, specVersion: "2025-06-18" })), /specVersion "2025-06-18"/],
    [changed(({ specVersion, ...each }) => each), /specVersion none/],
    [changed((each) => ({ ...each, tests: [{ id: "x" }] })), /no whole report: tests\.0\./],
    [changed((each) => ({ ...each, tests: [...(each["tests"] as []), ...(each["tests"] as [])] })), /"tools-x" twice/],
    [made({ "tools-x": pass("x") }, { partial: "interrupted" }), /not finished \(interrupted\)/],
  ];
  for (const [text, message] of refusals) expect(() => readReport(text, "a.json")).toThrow(message);
  expect(() => compare(good, made({ "tools-x": pass("x") }, { revision: "2026-07-28" }))).toThrow(
    /run b\.json again with --spec-version 2025-11-25, or both with --spec-version 2026-07-28/,
  );
});

test("other targets and transports are noted", () => {
  const a = made({ "tools-x": pass("x") });
  const b = made({ "tools-x": pass("x") }, { url: "stdio: node server.js", transport: "stdio" });
  expect(compare(a, b).notes).toEqual([
    "The targets differ: https://example.com/mcp and stdio: node server.js.",
    "The transports differ (http and stdio): some checks exist on one of them only.",
  ]);
});

test("whatever stands in a report is inert and capped in every format", () => {
  const nasty = `\u001b[2J\u202e<script>alert(1)</script>\n::error::x\n![x](http://evil/)|\`\`\`${"x".repeat(5000)}`;
  const parsed = JSON.parse(made({ "tools-x": failed }));
  const evil = JSON.stringify({
    ...{ ...parsed, url: nasty, toolVersion: nasty, timestamp: nasty, grade: nasty },
    tests: [{ ...parsed.tests[0], id: nasty, name: nasty, details: nasty, fix: nasty }],
  });
  const diff = compare(made({}), evil);
  const terminal = diffToTerminal(diff, { color: false, redact: keep });
  const json = diffToJson(diff, keep);
  const markdown = diffToMarkdown(diff, keep);
  for (const text of [terminal, json, markdown]) {
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text).not.toMatch(/^::/m);
    expect(text.length).toBeLessThan(16_000);
  }
  // Outside code spans nothing is markup.
  expect(markdown.replace(/(`+)[^`][\s\S]*?[^`]\1(?!`)/g, "")).not.toMatch(/(?<!\\)<script|(?<!\\)!\[/);
});

test("JSON says all, for programs", () => {
  const a = made({ "tools-x": pass("x"), "tools-y": failed });
  const b = made({ "tools-x": failed, "tools-z": pass("x") });
  expect(JSON.parse(diffToJson(compare(a, b), keep))).toMatchObject({
    ...{ schemaVersion: "1", kind: "diff", specVersion: "2025-11-25", regressed: true, scoreChange: 0, unchanged: 0 },
    a: { name: "a.json", grade: "D", score: 50, recorded: { grade: "D", score: 50 } },
    newlyFailing: [{ id: "tools-x", required: true, was: { status: "pass" }, now: { status: "fail" } }],
    new: [{ id: "tools-z", was: null }],
    gone: [{ id: "tools-y", now: null }],
  });
});
