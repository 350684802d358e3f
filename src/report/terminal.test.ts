import { expect, test } from "bun:test";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import { columns } from "./_page.ts";
import { posted, report, row, verdict } from "./_specimen.ts";
import { toTerminal } from "./terminal.ts";

const keep = (text: string) => text;
const plain = { color: false, redact: keep };
const error: Outcome = { status: "error", because: "a bug of ours" };

const whole = report(
  [
    verdict(row("transport-batch-reject", { area: "transport", level: "inferred" }), fail("an error", "a result", 2)),
    verdict(
      row("tools-schema", { required: false, level: "heuristic" }),
      fail('type "object"', 'type "array", which is a long noun phrase that goes beyond the end of the line', 3, 2),
    ),
    verdict(row("tools-call-unknown"), fail("code -32602", "code 0", 2)),
    verdict(row("tools-list"), pass("2 tools", "both are odd")),
    verdict(row("tools-x"), blocked("tools/list answered -32603", "tools-list", 3)),
    verdict(row("tools-y", { required: false }), blocked("tools/list answered -32603", "tools-list", 3)),
    verdict(row("prompts-a", { area: "prompts" }), skipped("prompts are not declared")),
    verdict(row("prompts-b", { area: "prompts" }), skipped("prompts are not declared")),
    verdict(row("prompts-c", { area: "prompts" }), error),
    verdict(row("security-a", { area: "security" }), pass("x")),
  ],
  {
    transcript: [
      posted(2, '{"id":2}', '{"id":2,"error":{"code":0}}'),
      { ...posted(3, '{"id":3}', ""), end: "timeout", ms: 5000, cause: "the control was answered" },
    ],
    warnings: ["a warning", "a warning", "another"],
    elsewhere: [row("stdio-framing"), row("stdio-unicode")],
    partial: "interrupted",
    trouble: "exited with status 1",
    stderrTail: "Error: boom\n    at x.js:1\n",
  },
);

const WHOLE = `mcp-assay 0.1.0

  Target     https://example.com/mcp
  Revision   2025-11-25
  Transport  http
  Server     demo 1.2.3 (speaks 2025-11-25)
  Partial    interrupted

  ── THE SERVER ──────────────────────────────────────────────────────────────
  exited with status 1
  | Error: boom
  |     at x.js:1
  ────────────────────────────────────────────────────────────────────────────

  Grade F  28.0 / 100  (overall: fail)

  transport  ░░░░░░░░░░░░░░░░░░░░░░░░  0/1
  tools      █████░░░░░░░░░░░░░░░░░░░  1/5
  prompts    ░░░░░░░░░░░░░░░░░░░░░░░░  nothing measured, 3 skipped
  security   ████████████████████████  1/1

  10 checks: 2 passed, 3 failed (1 required, 1 required by this catalog only), 2
  blocked (1 required), 2 skipped, 1 tester error

FAILURES (3)

  ✗ tools-call-unknown — The title of tools-call-unknown [required]
    expected  code -32602
    actual    code 0
    fix       Mend tools-call-unknown.
    spec      https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
    evidence  exchange 2, HTTP 200
              {"id":2,"error":{"code":0}}
    repeat    curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' --data-binary '{"id":2}'

  ✗ transport-batch-reject — The title of transport-batch-reject
    (required by this catalog, not by the specification)
    expected  an error
    actual    a result
    fix       Mend transport-batch-reject.
    spec      https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
    evidence  exchange 2, HTTP 200
              {"id":2,"error":{"code":0}}
    repeat    curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' --data-binary '{"id":2}'

  ✗ tools-schema — The title of tools-schema
    (heuristic: says what was seen, no rule is claimed to be broken)
    expected  type "object"
    actual    type "array", which is a long noun phrase that goes beyond the end
              of the line
    fix       Mend tools-schema.
    spec      https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
    evidence  exchange 3, HTTP 200 (see also 2)
              no answer within 5000 ms: the control was answered
    repeat    curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' --data-binary '{"id":3}'

BLOCKED (2)

  ⊘ tools/list answered -32603 (tools-list)
    blocks    2 checks, 1 required: tools-x, tools-y
    evidence  exchange 3, HTTP 200
              no answer within 5000 ms: the control was answered
    repeat    curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' --data-binary '{"id":3}'

TESTER ERRORS (not the server's fault)

  - prompts-c: a bug of ours

NOTES

  - tools-list: both are odd

WARNINGS

  ! a warning
  ! another

SKIPPED CHECKS

  - prompts are not declared
      prompts-a, prompts-b

2 checks run on stdio only
`;

test("the whole report", () => {
  expect(toTerminal(whole, plain)).toBe(WHOLE);
});

test("a good server has a short one", () => {
  const good = report([verdict(row("tools-list"), pass("2 tools"))], {
    server: { ...whole.server, name: null, version: null },
  });
  expect(toTerminal(good, plain)).toBe(`mcp-assay 0.1.0

  Target     https://example.com/mcp
  Revision   2025-11-25
  Transport  http
  Server     unknown (speaks 2025-11-25)

  Grade A  100.0 / 100  (overall: pass)

  tools      ████████████████████████  1/1

  1 check: 1 passed, 0 failed, 0 skipped
`);
});

test("colours change nothing but colours", () => {
  const colored = toTerminal(whole, { ...plain, color: true });
  expect(colored).toContain("\u001b[31mGrade F");
  expect(colored.replace(/\u001b\[\d+m/g, "").replace(/ +$/gm, "")).toBe(WHOLE);
});

test("without Unicode every mark is ASCII", () => {
  const long = report([verdict(row("tools-list"), fail("x".repeat(700), "y"))]);
  expect(toTerminal(whole, { ...plain, unicode: false }) + toTerminal(long, { ...plain, unicode: false })).toMatch(
    /^[\n -~]*$/,
  );
});

test("a run that measured nothing says so", () => {
  const nothing = report([verdict(row("tools-list"), skipped("tools are not declared"))]);
  expect(toTerminal(nothing, plain)).toContain("Grade F  0.0 / 100  (overall: fail)\n  No test measured anything\n");
});

test("only links and lines to copy are wider than the terminal", () => {
  const wide = report([verdict(row("tools-list"), fail("東京".repeat(40), "word ".repeat(60), 1))], {
    transcript: [posted(1, "{}", "z".repeat(900))],
    warnings: ["w".repeat(300)],
  });
  for (const width of [40, 80, 120]) {
    for (const line of [wide, whole].flatMap((each) => toTerminal(each, { ...plain, width }).split("\n"))) {
      if (!/^ {4}(?:spec|repeat) /.test(line)) expect(columns(line)).toBeLessThanOrEqual(width);
    }
  }
});

test("a word that is too long is broken between its parts", () => {
  const narrow = report([verdict(row("tools-list"), fail("x", "lifecycle-elicitation-capability-of-the-client"))]);
  const lines = toTerminal(narrow, { ...plain, width: 40 }).split("\n");
  const actual = lines.indexOf("    actual");
  expect(lines.slice(actual + 1, actual + 3)).toEqual([
    "      lifecycle-elicitation-capability-",
    "      of-the-client",
  ]);
});

test("what is expected to fail is told, and how often a failure was asked for", () => {
  const accepted = { id: "tools-a", reason: "later", expires: "2027-01-31" };
  const shown = toTerminal(
    report([verdict(row("tools-a"), fail("x", "y"), { attempts: 3 })], {
      expected: {
        ...{ file: "known.json", accepted: [accepted] },
        stale: [
          { id: "tools-b", reason: "broken", because: "passes" },
          { id: "tools-c", reason: "slow", expires: "2026-01-01", because: "expired" },
        ],
        unexpected: ["tools-d"],
      },
    }),
    plain,
  );
  expect(shown).toContain("    attempts  3\n");
  expect(shown).toContain(`EXPECTED FAILURES (known.json)

  - tools-d: fails, and is not expected to
  - tools-b: passes now: take it out of the file (broken)
  - tools-c: expired 2026-01-01: take it out of the file (slow)
  - tools-a: accepted (until 2027-01-31): later
`);
});
