import type { Report } from "../model/report.ts";
import { cap, oneLine } from "../text/escape.ts";
import { markup } from "../text/markup.ts";
import { type Sheet, sheetOf } from "./_sheet.ts";
import { expectationLines, NOTHING_MEASURED } from "./_words.ts";
import type { ReportOptions } from "./document.ts";
import type { TestDocument } from "./json-contract.ts";

/** The report as JUnit XML: one suite, a case for each test. Failed and blocked are failures; tester errors are skips. */
export function toJunit(report: Report, options: ReportOptions): string {
  const sheet = sheetOf(report, options);
  const { document } = sheet;
  const { summary, specVersion, environment, tests } = document;
  const counts = {
    ...{ tests: summary.total, failures: summary.failed, errors: 0, skipped: summary.skipped },
    time: seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    open("testsuites", { name: environment.tool, ...counts }),
    `  ${open("testsuite", { name: `MCP ${specVersion}`, ...counts, timestamp: document.timestamp.replace(/\.\d+Z$|Z$/, ""), hostname: environment.os })}`,
    "    <properties>",
    ...properties(sheet).map(([name, value]) => `      ${empty("property", { name, value })}`),
    "    </properties>",
    ...tests.flatMap((test) => testcase(test, sheet).map((line) => `    ${line}`)),
    `    ${element("system-out", {}, closing(sheet).join("\n"))}`,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n")}\n`;
}

// --- internal ---

const LONGEST = 500;
type Attributes = Readonly<Record<string, string | number>>;

function properties({ document, server, totals, revisionNote }: Sheet): readonly (readonly [string, string])[] {
  const { serverInfo, environment, coverage, partial } = document;
  return [
    ["grade", document.grade],
    ["score", document.score.toFixed(1)],
    ["overall", document.overall],
    ["totals", totals],
    ...(coverage.measured === 0 ? [["note", NOTHING_MEASURED] as const] : []),
    ["specVersion", document.specVersion],
    ...(revisionNote === undefined ? [] : [["specVersionNote", revisionNote] as const]),
    ["target", document.url],
    ["transport", environment.transport],
    ["server", server],
    ...(serverInfo.protocolVersion === null ? [] : [["protocolVersion", serverInfo.protocolVersion] as const]),
    ["tool", `${environment.tool} ${document.toolVersion} (${environment.commit})`],
    ...(partial === undefined ? [] : [["partial", partial] as const]),
    ...document.warnings.map((warning) => ["warning", warning] as const),
  ];
}

function testcase(test: TestDocument, sheet: Sheet): readonly string[] {
  const { id, category, durationMs, status, details, note } = test;
  const attributes = { name: id, classname: `mcp.${category}`, time: seconds(durationMs) };
  const body = [
    ...(test.passed
      ? []
      : [
          element(
            "failure",
            {
              message: details,
              type: status === "blocked" ? "blocked" : test.required ? "required" : "optional",
            },
            failure(test, sheet).join("\n"),
          ),
        ]),
    ...(test.skipped ? [empty("skipped", { message: details })] : []),
    ...(note === undefined || !test.passed ? [] : [element("system-out", {}, `note: ${note}`)]),
  ];
  if (body.length === 0) return [empty("testcase", attributes)];
  return [open("testcase", attributes), ...body.map((line) => `  ${line}`), "</testcase>"];
}

function failure(test: TestDocument, sheet: Sheet): readonly string[] {
  const disclaimer = sheet.failures.find((each) => each.test.id === test.id)?.disclaimer;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["", test.name],
    ["", disclaimer === undefined ? undefined : `(${disclaimer})`],
    ["expected: ", test.expected],
    ["actual: ", test.actual],
    ["note: ", test.note],
    ["attempts: ", test.attempts?.toString()],
    ["blocked by: ", test.blockedBy],
    ["fix: ", test.fix],
    ["spec: ", test.specRef],
  ];
  return [
    ...fields.flatMap(([label, value]) => (value === undefined ? [] : [`${label}${value}`])),
    ...test.evidence
      .slice(0, 1)
      .flatMap((evidence) => [
        "",
        `exchange ${evidence.exchange}${evidence.httpStatus === undefined ? "" : `, HTTP ${evidence.httpStatus}`}`,
        `sent: ${evidence.sent}`,
        `received: ${sheet.answer(evidence)}`,
        ...(evidence.repro === undefined ? [] : [`repeat: ${evidence.repro}`]),
      ]),
  ];
}

const closing = ({ document, totals, elsewhere }: Sheet): readonly string[] => [
  totals,
  ...(elsewhere === "" ? [] : [elsewhere]),
  ...(document.trouble === undefined ? [] : [document.trouble, document.stderrTail ?? ""]),
  ...document.warnings.map((warning) => `warning: ${warning}`),
  ...expectationLines(document).map(({ id, text }) => `expected failures: ${id}: ${text}`),
];

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${markup(oneLine(cap(String(value), LONGEST), 2 * LONGEST))}"`)
    .join("");
const open = (name: string, attributes: Attributes): string => `<${name}${attributesOf(attributes)}>`;
const empty = (name: string, attributes: Attributes): string => `<${name}${attributesOf(attributes)}/>`;
const element = (name: string, attributes: Attributes, text: string): string =>
  `${open(name, attributes)}${markup(text)}</${name}>`;
