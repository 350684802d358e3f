import { expect, setDefaultTimeout, test } from "bun:test";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import { createRedactor } from "../text/redact.ts";
import { posted, report, row, verdict } from "./_specimen.ts";
import { validDocument } from "./_valid.ts";
import { toJson } from "./json.ts";

// Pages and schemas are work for a machine that has other work.
setDefaultTimeout(60_000);

const keep = (text: string) => text;
const error: Outcome = { status: "error", because: "a bug of ours" };

const whole = report(
  [
    verdict(row("tools-list"), pass("2 tools", "both are odd", 1)),
    verdict(row("tools-call-unknown"), fail("code -32602", "code 0", 2)),
    verdict(row("security-auth-required", { area: "security", required: false }), skipped("needs a credential")),
    verdict(row("errors-x", { area: "errors", level: "heuristic" }), blocked("the opening failed", "opening", 9)),
    verdict(row("errors-y", { area: "errors", required: false }), error),
  ],
  {
    transcript: [posted(1, "{}", "{}"), posted(2, '{"id":2}', '{"id":2,"error":{"code":0}}')],
    warnings: ["once", "once", "twice"],
    partial: "interrupted",
    server: { ...report([]).server, name: null, capabilities: undefined },
  },
);

test("the whole contract", () => {
  const spec = "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools";
  const common = { durationMs: 2, specRef: spec, level: "MUST" } as const;
  expect(validDocument(toJson(whole, { redact: keep }))).toEqual({
    schemaVersion: "1",
    specVersion: "2025-11-25",
    toolVersion: "0.1.0",
    url: "https://example.com/mcp",
    timestamp: "2026-01-02T03:04:05.000Z",
    grade: "F",
    score: 33.3,
    overall: "fail",
    summary: { total: 5, passed: 3, failed: 2, required: 3, requiredPassed: 1, skipped: 2 },
    categories: {
      tools: { passed: 1, total: 2, skipped: 0 },
      errors: { passed: 1, total: 2, skipped: 1 },
      security: { passed: 1, total: 1, skipped: 1 },
    },
    tests: [
      {
        ...{ id: "tools-list", name: "The title of tools-list", category: "tools", required: true },
        ...{ passed: true, skipped: false, details: "2 tools (both are odd)", ...common },
        ...{ status: "pass", note: "both are odd", evidence: [] },
      },
      {
        ...{ id: "tools-call-unknown", name: "The title of tools-call-unknown", category: "tools", required: true },
        ...{ passed: false, skipped: false, details: "expected code -32602, got code 0", ...common },
        ...{ status: "fail", expected: "code -32602", actual: "code 0", fix: "Mend tools-call-unknown." },
        evidence: [
          {
            exchange: 2,
            sent: 'POST https://example.com/mcp\n\n{"id":2}',
            received: '{"id":2,"error":{"code":0}}',
            httpStatus: 200,
            truncated: false,
            repro:
              "curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' " +
              "-H 'Accept: application/json, text/event-stream' --data-binary '{\"id\":2}'",
          },
        ],
      },
      {
        ...{ id: "security-auth-required", name: "The title of security-auth-required", category: "security" },
        ...{ required: false, passed: true, skipped: true, details: "Skipped: needs a credential", ...common },
        ...{ status: "skipped", evidence: [] },
      },
      {
        ...{ id: "errors-x", name: "The title of errors-x", category: "errors", required: true },
        ...{ passed: false, skipped: false, details: "Cannot be evaluated: the opening failed", ...common },
        ...{ status: "blocked", level: "heuristic", fix: "Mend errors-x.", blockedBy: "opening", evidence: [] },
      },
      {
        ...{ id: "errors-y", name: "The title of errors-y", category: "errors", required: false },
        ...{
          passed: true,
          skipped: true,
          details: "Tester error: a bug of ours",
          ...common,
          status: "error",
          evidence: [],
        },
      },
    ],
    warnings: ["once", "twice"],
    serverInfo: { protocolVersion: "2025-11-25", name: null, version: "1.2.3", capabilities: null },
    toolCount: 1,
    toolNames: ["echo"],
    resourceCount: 0,
    resourceNames: [],
    promptCount: 0,
    promptNames: [],
    coverage: { rows: 88, run: 5, measured: 3 },
    environment: {
      ...{ tool: "mcp-assay", commit: "abc1234", runtime: "bun 1.4.5", os: "linux", arch: "x64", transport: "http" },
    },
    partial: "interrupted",
  });
});

test("fifty warnings, then the number of the others", () => {
  const warnings = Array.from({ length: 60 }, (_, index) => `w${index}`);
  const { warnings: kept } = validDocument(toJson(report([], { warnings }), { redact: keep }));
  expect(kept).toEqual([...warnings.slice(0, 50), "and 10 more warnings"]);
});

test("what a server may put into a report has bounds", () => {
  const long = "x".repeat(1_000_000);
  const capabilities = { [long]: Array(1000).fill("y"), deep: JSON.parse("[".repeat(500) + "]".repeat(500)) };
  const { server } = report([]);
  const text = toJson(
    report(
      [verdict(row("tools-a"), { ...fail(long, long), ...{ note: long } }), verdict(row("tools-b"), pass(long, long))],
      {
        server: { ...server, name: long, capabilities, tools: Array(5000).fill("t".repeat(1000)) },
        ...{ warnings: [long], trouble: long, stderrTail: `${long}\n`.repeat(30), partial: long },
      },
    ),
    { redact: keep },
  );
  expect(text.length).toBeLessThan(500_000);
  const { toolCount, toolNames, serverInfo } = validDocument(text);
  expect(toolCount).toBe(5000);
  expect([toolNames.length, toolNames[1000]]).toEqual([1001, "… and 4000 more"]);
  expect(serverInfo.name).toBe(`${"x".repeat(300)}… (+999700 characters)`);
});

test("capabilities that are no object are unknown", () => {
  const { server } = report([]);
  for (const capabilities of [null, undefined, [], "tools", 1]) {
    const text = toJson(report([], { server: { ...server, capabilities } }), { redact: keep });
    expect(validDocument(text).serverInfo.capabilities).toBeNull();
  }
});

test("the file of expected failures is told", () => {
  const accepted = { id: "tools-list", reason: "later", expires: "2027-01-31" };
  const expected = {
    ...{ file: "known.json", accepted: [accepted] },
    stale: [{ ...accepted, because: "passes" as const }],
    unexpected: ["tools-call-unknown"],
  };
  const text = toJson(report([], { expected }), { redact: keep });
  expect(validDocument(text).expectedFailures).toEqual(expected);
});

test("texts are cut after 2 KiB, between characters", () => {
  const text = `a${"é".repeat(3000)}`;
  const cut = report([verdict(row("tools-list"), fail("x", "y", 1))], { transcript: [posted(1, text, text)] });
  const json = toJson(cut, { redact: keep });
  expect(validDocument(json).tests[0]?.evidence[0]).toMatchObject({
    received: `a${"é".repeat(1023)}`,
    truncated: true,
  });
});

test("no secret survives, wherever a server puts it", () => {
  const secret = 's3cr3t"\\x';
  const redact = createRedactor([{ name: "TOKEN", value: secret }]);
  const leaky = report(
    [
      verdict(row("tools-a"), fail(secret, `${secret}!`, 1), { fix: secret }),
      verdict(row("tools-b"), pass(secret, secret)),
      verdict(row("tools-c"), skipped(secret)),
      verdict(row("tools-d"), blocked(secret, secret, 1)),
    ],
    {
      // The secret stands across the end of what is kept.
      transcript: [posted(1, JSON.stringify(secret), `${"x".repeat(2044)}${secret}`)],
      url: `https://me:${secret}@example.com/?k=${encodeURIComponent(secret)}&api_key=zz`,
      warnings: [secret],
      partial: secret,
      server: {
        ...{ protocolVersion: secret, name: secret, version: secret },
        ...{ capabilities: { experimental: { [secret]: [secret] } } },
        ...{ tools: [secret], resources: [secret], prompts: [secret] },
      },
    },
  );
  const json = toJson(leaky, { redact });
  expect(json).not.toContain("s3cr");
  expect(json).not.toContain("api_key=zz");
  expect(validDocument(json).serverInfo).toMatchObject({ capabilities: { experimental: { $TOKEN: ["$TOKEN"] } } });
});

test("a secret that is a word of the contract leaves the contract alone", () => {
  const redact = createRedactor(["tools", "pass", "MUST"].map((value) => ({ name: "T", value })));
  const [test] = validDocument(toJson(report([verdict(row("tools-list"), pass("tools"))]), { redact })).tests;
  expect(test).toMatchObject({ id: "tools-list", category: "tools", status: "pass", level: "MUST", details: "$T" });
});
