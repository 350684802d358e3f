import { type CallToolResult, fromJsonSchema, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { runComplianceSuite } from "../library/suite.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { ReportDocument, TestDocument } from "../report/json-contract.ts";
import { count } from "../text/count.ts";
import { argumentsOf } from "./arguments.ts";
import type { Places } from "./places.ts";
import { answered, progressOf, refused } from "./result.ts";
import type { McpSettings } from "./settings.ts";
import { type TargetInput, targetOf } from "./target.ts";
import { inputSchema, outputSchema } from "./test-schema.ts";
import { NOTICE, quoted, untrusted } from "./untrusted.ts";

/** The suite as a tool: grades a server. */
export function registerTest(server: McpServer, settings: McpSettings, places: Places): void {
  server.registerTool(
    "mcp_compliance_test",
    {
      title: "Test an MCP server for compliance",
      description:
        "Grades an MCP server, by HTTP requests to the URL that it is given, against the specification (88 checks of 2025-11-25, 103 of 2026-07-28). Gives a grade from A to F, a score, and for each check PASS, FAIL or SKIP with what was expected, what came, and how to fix it. Takes up to a minute; only and skip make it quicker.",
      // It calls none of that server's tools but those that are safe by their annotations, and yet it does more than read.
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      inputSchema: argumentsOf<TestInput>(inputSchema(settings)),
      outputSchema: fromJsonSchema(outputSchema()),
    },
    async (input, context) =>
      (await places.take(() => tested(input, settings, context))) ??
      refused("As many tests are under way as may run at once: wait for one of them to end."),
  );
}

// --- internal ---

interface TestInput extends TargetInput {
  readonly timeout?: number;
  readonly retries?: number;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly specVersion?: "auto" | RevisionId;
}

const MOST_WARNINGS = 20;

async function tested(input: TestInput, settings: McpSettings, context: ServerContext): Promise<CallToolResult> {
  const target = await targetOf(input, settings);
  if (typeof target === "object" && "refused" in target) return refused(target.refused);
  const { timeout, retries, only, skip, specVersion } = input;
  const tell = progressOf(context);
  let done = 0;
  try {
    const report = await runComplianceSuite(target, {
      ...(timeout === undefined ? {} : { timeout }),
      ...(retries === undefined ? {} : { retries }),
      ...(only === undefined ? {} : { only }),
      ...(skip === undefined ? {} : { skip }),
      ...(specVersion === undefined ? {} : { specVersion }),
      addresses: settings.addresses,
      signal: context.mcpReq.signal,
      onTestComplete: (test) => tell(++done, Math.max(done, MOST_TESTS), `${resultOf(test)} ${test.id}`),
    });
    if (report.tests.length === 0) {
      return refused(`No tests ran: check only and skip. ${report.warnings.map((each) => quoted(each)).join(" ")}`);
    }
    return answered(linesOf(report), valueFrom(report));
  } catch (error) {
    // A header that can't be sent, say.
    if (error instanceof TypeError) return refused(quoted(error.message));
    throw error;
  }
}

/** What a run has at most; it learns only with the first answer how many it will have. */
const MOST_TESTS = 103;

const resultOf = ({ passed, skipped }: TestDocument) => (skipped ? "SKIP" : passed ? "PASS" : "FAIL");

function valueFrom({
  grade,
  score,
  overall,
  specVersion,
  url,
  summary,
  tests,
  warnings,
  serverInfo,
  partial,
}: ReportDocument) {
  const server = [serverInfo.name, serverInfo.version].filter((each) => each !== null).join(" ");
  return {
    ...{ grade, score, overall, specVersion, url: quoted(url), summary },
    ...(server === "" ? {} : { server: quoted(server, 200) }),
    tests: tests.map((test) => {
      const repro = test.evidence[0]?.repro;
      return {
        ...{ id: test.id, name: test.name, category: test.category, required: test.required, specRef: test.specRef },
        ...{ result: resultOf(test), details: quoted(test.details) },
        ...(test.status === "fail" && test.fix !== undefined ? { fix: test.fix } : {}),
        ...(test.passed || repro === undefined ? {} : { repro: quoted(repro, 1500) }),
      };
    }),
    warnings: warnings.slice(0, MOST_WARNINGS).map((each) => quoted(each)),
    ...(partial === undefined ? {} : { partial: quoted(partial) }),
    notice: NOTICE,
  };
}

function linesOf(report: ReportDocument): readonly string[] {
  const { grade, score, overall, specVersion, summary, tests, warnings, serverInfo, partial } = report;
  const { passed, total, requiredPassed, required, skipped } = summary;
  const name = [serverInfo.name ?? "unknown", serverInfo.version].filter((each) => each !== null).join(" ");
  return [
    `Grade: ${grade} (${score}%)`,
    `Overall: ${overall}`,
    `Spec version: ${specVersion}`,
    `Tests: ${passed}/${total} passed (${requiredPassed}/${required} required), ${skipped} skipped`,
    ...(summary.total === skipped ? ["No test measured anything"] : []),
    ...(partial === undefined ? [] : [`Partial: ${quoted(partial)}`]),
    "",
    ...untrusted([
      `Server: ${quoted(name, 200)} at ${quoted(report.url)}`,
      ...rootCauses(tests),
      ...tests.flatMap(linesOfTest),
      ...warnings.slice(0, MOST_WARNINGS).map((each) => `Warning: ${quoted(each)}`),
    ]),
  ];
}

/** Long where something is to be done, and short where not: a model pays for each word. */
function linesOfTest(test: TestDocument): readonly string[] {
  const head = `${resultOf(test)} ${test.id}${test.required ? " (required)" : ""}`;
  if (test.status === "pass") return [test.note === undefined ? head : `${head}: ${quoted(test.note, SHORT)}`];
  if (test.status === "blocked") return [`${head}: Cannot be evaluated, see above`];
  if (test.status !== "fail") return [`${head}: ${quoted(test.details, SHORT)}`];
  return [`${head}: ${quoted(test.details)}`, `  fix: ${test.fix ?? ""}`, `  spec: ${test.specRef}`];
}

/** What keeps checks from being judged, each cause once. */
function rootCauses(tests: readonly TestDocument[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { status, details } of tests) {
    if (status === "blocked") counts.set(details, (counts.get(details) ?? 0) + 1);
  }
  return [...counts].map(([details, number]) => `${quoted(details)} (${count(number, "check")})`);
}

const SHORT = 160;
