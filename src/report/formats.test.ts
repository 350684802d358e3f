import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { JSDOM } from "jsdom";
import { assess } from "../grade/grade.ts";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import type { Report } from "../model/report.ts";
import { rendered, validJunit, validSarif } from "./_inert.ts";
import { posted, report, row, verdict } from "./_specimen.ts";
import { validDocument } from "./_valid.ts";
import { totals } from "./_words.ts";
import { toBadge } from "./badge.ts";
import { FORMATS, type Format } from "./format-names.ts";
import { formats } from "./formats.ts";

// Pages and schemas are work for a machine that has other work.
setDefaultTimeout(60_000);

const error: Outcome = { status: "error", because: "a bug of ours" };
const redact = (text: string): string => text;
const page = { color: false, width: 4000 };
const write = (format: Format, given: Report): string => formats[format](given, { redact, page });

const whole = report(
  [
    verdict(row("tools-a"), fail("code -32602", "code 0", 1), { attempts: 2 }),
    verdict(row("tools-b", { required: false }), fail("one", "two", 2, 1)),
    verdict(row("tools-c"), pass("2 tools", "both are odd")),
    verdict(row("tools-d", { level: "inferred" }), fail("an error", "a result", 1)),
    verdict(row("prompts-a", { area: "prompts" }), blocked("prompts/list failed", "prompts/list", 1)),
    verdict(row("prompts-b", { area: "prompts", required: false }), blocked("prompts/list failed", "prompts/list", 1)),
    verdict(row("errors-a", { area: "errors" }), skipped("nothing is declared")),
    verdict(row("errors-b", { area: "errors" }), error),
  ],
  {
    transcript: [posted(1, '{"id":1}', '{"id":1,"error":{}}'), posted(2, '{"id":2}', "")],
    warnings: ["first warning", "first warning", "second warning"],
    ...{ partial: "interrupted", trouble: "exited with code 1", stderrTail: "boom" },
    revisionNote: "auto-detected",
    elsewhere: [row("stdio-framing")],
  },
);

describe("every format says the same", () => {
  const { grade, score } = assess(whole.verdicts);
  const said = [
    ...[totals(whole.verdicts), whole.revision, "auto-detected", "interrupted", "exited with code 1"],
    ...["first warning", "second warning", "both are odd", "1 check runs on stdio only"],
    ...["nothing is declared", "errors-a", "prompts/list failed", "prompts-a", "prompts-b", "a bug of ours"],
    ...["code -32602", "code 0", "Mend tools-a.", "curl -sSig"],
    "required by this catalog, not by the specification",
  ];
  // What no sentence is needed for where there are members.
  const asData = ["1 check runs on stdio only", "auto-detected", totals(whole.verdicts), said.at(-1)];
  for (const format of FORMATS) {
    test(format, () => {
      const written = write(format, whole);
      const text = format === "html" ? (new JSDOM(written).window.document.body.textContent ?? "") : written;
      for (const each of format === "json" ? said.filter((one) => !asData.includes(one)) : said) {
        expect(text).toContain(each);
      }
      expect(text).toContain(grade);
      expect(text).toContain(score.toFixed(1));
      expect(text.split("first warning").length - 1).toBe(format === "sarif" || format === "junit" ? 2 : 1);
    });
    test(`${format}: that nothing was measured`, () => {
      const nothing = report([verdict(row("tools-a"), skipped("tools are not declared"))]);
      const written = write(format, nothing);
      if (format === "json") expect(validDocument(written).coverage.measured).toBe(0);
      else expect(written).toContain("No test measured anything");
      expect(written).toContain("tools are not declared");
    });
  }
});

describe("SARIF", () => {
  const [run] = validSarif(write("sarif", whole)).runs;
  const results = run?.results ?? [];

  test("has what failed or is blocked as results, by how much it is required", () => {
    expect(results.map(({ ruleId, level, kind }) => [ruleId, level, kind])).toEqual([
      ["tools-a", "error", "fail"],
      ["tools-b", "warning", "fail"],
      ["tools-d", "error", "fail"],
      ["prompts-a", "error", "fail"],
      ["prompts-b", "warning", "fail"],
    ]);
    const rules = run?.tool.driver.rules ?? [];
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex ?? -1]?.id).toBe(ruleId ?? "");
    expect(rules[0]?.help?.markdown).toContain("**Fix.** Mend tools-a.");
  });

  test("has everything else as properties of the invocation", () => {
    const { grade, score } = assess(whole.verdicts);
    expect(run?.invocations?.[0]?.properties).toMatchObject({
      ...{ grade, score, specVersion: "2025-11-25" },
      ...{ testsTotal: 8, testsPassed: 3, testsFailed: 5, testsBlocked: 2, testsErrored: 1, testsSkipped: 2 },
      skippedTests: ["errors-a", "errors-b"],
    });
    expect(run?.automationDetails?.id).toBe("mcp-assay/2025-11-25/");
  });

  test("knows a requirement again in another run, on another port, with another text", () => {
    const other = report([verdict(row("tools-a"), fail("code -32602", "code 7"))], { url: "http://127.0.0.1:9/mcp" });
    const [again] = validSarif(write("sarif", other)).runs[0]?.results ?? [];
    expect(again?.partialFingerprints).toEqual(results[0]?.partialFingerprints ?? {});
    expect(new Set(results.map((each) => JSON.stringify(each.partialFingerprints))).size).toBe(results.length);
  });
});

test("JUnit has a case for each test, and failures with their evidence", async () => {
  const suite = await validJunit(write("junit", whole));
  expect([suite.tests, suite.failures, suite.errors, suite.skipped]).toEqual([8, 5, 0, 2]);
  const cases = suite.testcase ?? [];
  expect(cases.map(({ name, classname }) => `${classname}.${name}`)).toEqual(
    whole.verdicts.map((each) => `mcp.${each.row.area}.${each.row.id}`),
  );
  const failure = cases[0]?.failure?.[0];
  expect([failure?.type, failure?.message]).toEqual(["required", "expected code -32602, got code 0"]);
  expect(failure?.inner).toContain('received: {"id":1,"error":{}}\nrepeat: curl -sSig');
  expect(cases[4]?.failure?.[0]?.type).toBe("blocked");
  expect(cases[6]?.skipped?.[0]?.message).toBe("Skipped: nothing is declared");
  const properties = Object.fromEntries((suite.properties ?? []).map(({ name, value }) => [name, value]));
  expect(properties).toMatchObject({ grade: "F", specVersion: "2025-11-25", transport: "http" });
});

test("GitHub gets an error for each required finding, a warning for the others and for each warning", () => {
  const lines = write("github", whole).split("\n");
  const of = (name: string) =>
    lines.filter((line) => line.startsWith(`::${name} `)).map((line) => /title=([^:%]*)/.exec(line)?.[1]);
  expect(of("error")).toEqual(["tools-a", "tools-d", "prompts-a"]);
  expect(of("warning")).toEqual(["tools-b", "prompts-b", "errors-b", "mcp-assay", "mcp-assay"]);
  expect(of("notice")).toEqual(["tools-c", "MCP grade F"]);
  expect(lines.at(-2)).toContain("MCP 2025-11-25");
  const known = { id: "tools-c", reason: "later" };
  const expected = { file: "known.json", accepted: [known], stale: [{ ...known, because: "passes" as const }] };
  const held = write("github", report([], { expected: { ...expected, unexpected: ["tools-b"] } }));
  expect(held.match(/::\w+ title=expected failures%3A [\w-]+/g)).toEqual([
    "::error title=expected failures%3A tools-b",
    "::error title=expected failures%3A tools-c",
    "::notice title=expected failures%3A tools-c",
  ]);
});

test("Markdown is rendered with a heading for each failure and each root cause, and its exchange folded", () => {
  const document = rendered(write("markdown", whole));
  expect([...document.querySelectorAll("h3")].map(({ textContent }) => textContent)).toEqual([
    "✗ tools-a: The title of tools-a required",
    "✗ tools-d: The title of tools-d required",
    "✗ tools-b: The title of tools-b",
    "⊘ prompts/list failed (prompts/list)",
  ]);
  expect(document.querySelectorAll("details pre").length).toBe(12);
  expect(document.querySelectorAll("table").length).toBe(2);
  const brief = formats.markdown(whole, { redact, page });
  expect(brief.length).toBeLessThan(65_536);
});

describe("Markdown is no longer than a comment on GitHub may be", () => {
  const many = (count: number, text: string): Report =>
    report(
      Array.from({ length: count }, (_, n) =>
        verdict(row(`tools-${n}`), n % 2 === 0 ? fail(text, text) : blocked(`${n} ${text}`), { evidence: [n + 1] }),
      ),
      {
        transcript: Array.from({ length: count }, (_, n) => posted(n + 1, text, text)),
        warnings: Array.from({ length: 60 }, (_, n) => `${n} ${text}`),
        trouble: text,
        stderrTail: text,
      },
    );
  const left = (text: string) => /exchanges of the last (\d+) findings are left out(?:, and of (\d+))?/.exec(text);

  test("the later findings lose their exchanges, and it says how many", () => {
    const text = write("markdown", many(99, "some text of a usual length ".repeat(6)));
    expect(text.length).toBeLessThanOrEqual(65_536);
    const [, short, bare] = left(text) ?? [];
    const document = rendered(text);
    expect(document.querySelectorAll("details").length).toBe(99 - Number(short));
    expect(Number(short)).toBeGreaterThan(0);
    expect(bare).toBeUndefined();
    for (const id of ["tools-0", "tools-98", "tools-97"]) expect(text).toContain(`\`${id}\``);
    expect(text.indexOf("<details>")).toBeLessThan(text.indexOf("tools-98"));
  });

  test("whatever a server writes", () => {
    for (const hostile of ["\u202e", "`", "\n::error::x", "<&|"].map((each) => each.repeat(3000))) {
      const text = write("markdown", many(99, hostile));
      expect(text.length).toBeLessThanOrEqual(65_536);
      expect(Number(left(text)?.[2])).toBeGreaterThan(0);
      for (const id of ["tools-0", "tools-98", "tools-97"]) expect(text).toContain(`\`${id}\``);
      expect(text).toMatch(/- and \d+ more: see the JSON report/);
      expect(text).toEndWith("</sub>\n");
    }
  });

  test("and whole where there is room", () => {
    expect(left(write("markdown", whole))).toBeNull();
  });
});

test("the badge shows the grade of the run, and no grade where there is none", () => {
  const good = report([verdict(row("tools-a"), pass("x"))]);
  expect(toBadge(good)).toContain("<title>MCP 2025-11-25: A 100.0</title>");
  expect(toBadge(whole)).toContain("<title>MCP 2025-11-25: partial</title>");
  expect(toBadge(report([]))).toContain("<title>MCP 2025-11-25: not measured</title>");
});
