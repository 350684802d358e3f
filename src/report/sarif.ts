import { createHash } from "node:crypto";
import type { Invocation, Log, Notification, ReportingDescriptor, Result } from "sarif";
import type { Report, Verdict } from "../model/report.ts";
import { cap, inertJson, terminal } from "../text/escape.ts";
import { markdown } from "../text/markup.ts";
import { type Sheet, sheetOf } from "./_sheet.ts";
import { expectationLines, NOTHING_MEASURED } from "./_words.ts";
import type { ReportOptions } from "./document.ts";
import type { TestDocument } from "./json-contract.ts";

const HOME = "https://github.com/mcp-assay/mcp-assay";

/**
 * The report as SARIF 2.1.0. Results are what failed or is blocked, and nothing else: skipped tests and all counts are
 * properties of the invocation, so that no viewer takes them for alerts.
 */
export function toSarif(report: Report, options: ReportOptions): string {
  const sheet = sheetOf(report, options);
  const { document } = sheet;
  const log: Log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: document.environment.tool,
            version: document.toolVersion,
            ...(/^\d+\.\d+\.\d+/.test(document.toolVersion) ? { semanticVersion: document.toolVersion } : {}),
            informationUri: HOME,
            rules: report.verdicts.map(rule),
          },
        },
        automationDetails: { id: `${document.environment.tool}/${document.specVersion}/` },
        invocations: [invocation(sheet, report)],
        results: document.tests.flatMap((test, index) => (test.passed ? [] : [result(test, index, sheet)])),
        columnKind: "utf16CodeUnits",
      },
    ],
  };
  return `${inertJson(JSON.stringify(log, null, 2))}\n`;
}

// --- internal ---

const LONGEST = 1000;

// A viewer has only this to show beside the message.
function rule({ row, title, why, fix, required }: Verdict): ReportingDescriptor {
  const { id, area, level, section, requirement } = row;
  return {
    id,
    name: id.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: why },
    helpUri: section,
    help: {
      text: `${requirement}\n\nWhy: ${why}\n\nFix: ${fix}\n\nSpecification: ${section}`,
      markdown: `${markdown(requirement)}\n\n**Why.** ${markdown(why)}\n\n**Fix.** ${markdown(fix)}\n\n[Specification](${section})\n`,
    },
    defaultConfiguration: { level: required ? "error" : "warning" },
    properties: {
      tags: ["mcp", area, ...(required ? ["required"] : [])],
      category: area,
      required,
      level,
      "problem.severity": required ? "error" : "warning",
    },
  };
}

function result(test: TestDocument, ruleIndex: number, sheet: Sheet): Result {
  const { id, required, status, level, note, expected, actual, fix, attempts, blockedBy, evidence } = test;
  const { specVersion, url } = sheet.document;
  const disclaimer = sheet.failures.find((each) => each.test.id === id)?.disclaimer;
  const lines = [
    `${test.name}: ${test.details}`,
    ...(disclaimer === undefined ? [] : [`(${disclaimer})`]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
  ];
  return {
    ruleId: id,
    ruleIndex,
    level: required ? "error" : "warning",
    kind: "fail",
    message: { text: lines.map(plain).join("\n") },
    // A server has no file; viewers want one, and the same one in every run.
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: "mcp-server" }, region: { startLine: 1 } },
        logicalLocations: [{ name: id, fullyQualifiedName: cap(terminal(url), LONGEST), kind: "resource" }],
      },
    ],
    partialFingerprints: fingerprints(specVersion, id),
    properties: {
      ...{ status, required, level },
      ...defined({ expected, actual, note, fix, attempts, blockedBy, disclaimer }),
      evidence: evidence.map((each) => ({ ...each, received: sheet.answer(each) })),
    },
  };
}

/** The same for the same requirement in every run, whatever the server says and wherever it listens. */
function fingerprints(specVersion: string, id: string): Readonly<Record<string, string>> {
  const hash = createHash("sha256").update(`${specVersion}/${id}`).digest("hex");
  return { "mcpAssayRequirement/v1": hash, primaryLocationLineHash: `${hash.slice(0, 16)}:1` };
}

function invocation(sheet: Sheet, report: Report): Invocation {
  const { document, notes, skips, errors } = sheet;
  const { summary, coverage, timestamp } = document;
  const start = Date.parse(timestamp);
  const ids = (tests: readonly TestDocument[]): readonly string[] => tests.map(({ id }) => id);
  const count = (status: TestDocument["status"]): number =>
    document.tests.filter((test) => test.status === status).length;
  return {
    executionSuccessful: document.partial === undefined && errors.length === 0,
    ...(Number.isNaN(start)
      ? {}
      : { startTimeUtc: timestamp, endTimeUtc: new Date(start + Math.round(report.ms)).toISOString() }),
    toolExecutionNotifications: notifications(sheet),
    properties: {
      ...{ grade: document.grade, score: document.score, overall: document.overall, totals: sheet.totals },
      ...{ specVersion: document.specVersion, ...defined({ specVersionNote: sheet.revisionNote }) },
      ...{ target: document.url, transport: document.environment.transport, server: sheet.server },
      ...{ testsTotal: summary.total, testsPassed: summary.passed, testsFailed: summary.failed },
      ...{ testsBlocked: count("blocked"), testsErrored: count("error"), testsSkipped: summary.skipped },
      ...{ testsRequired: summary.required, testsRequiredPassed: summary.requiredPassed },
      skippedTests: ids(document.tests.filter(({ skipped }) => skipped)),
      skippedBecause: [...skips].map(([because, tests]) => ({ because, tests: ids(tests) })),
      blockedTests: sheet.blockages.map(({ because, by, findings }) => ({
        ...{ because, ...defined({ by }) },
        tests: ids(findings.map(({ test }) => test)),
      })),
      notes: notes.map(({ id, note }) => ({ id, note })),
      warnings: document.warnings,
      expectedFailures: expectationLines(document).map(({ id, text }) => ({ id, text })),
      ...defined({ partial: document.partial, trouble: document.trouble, stderrTail: document.stderrTail }),
      ...(sheet.elsewhere === "" ? {} : { elsewhere: sheet.elsewhere }),
      ...(coverage.measured === 0 ? { note: NOTHING_MEASURED } : {}),
    },
  };
}

const notifications = ({ document, errors }: Sheet): Notification[] => [
  ...errors.map(({ id, details }): Notification => ({ level: "error", message: { text: plain(`${id}: ${details}`) } })),
  ...document.warnings.map((warning): Notification => ({ level: "warning", message: { text: plain(warning) } })),
];

/** A text in which nothing is a link, nor a place for an argument. */
const plain = (text: string): string =>
  terminal(cap(text, LONGEST))
    .replace(/\\|\[|\]/g, (character) => (text.includes("](") ? `\\${character}` : character))
    .replace(/\{(\d+)\}/g, "{{$1}}");

/** The members that have a value. */
const defined = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
