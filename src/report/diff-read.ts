import * as v from "valibot";
import { assessTallies, type Grade } from "../grade/grade.ts";
import { AREAS, REVISIONS, type RevisionId } from "../model/catalog.ts";
import type { Status } from "../model/outcome.ts";
import { SCHEMA_VERSION } from "./json-contract.ts";

/** Why two reports can't be compared, with the mend. The reader's mistake, never ours. */
export class DiffError extends Error {
  override name = "DiffError";
}

/** One test of a report, as far as a comparison needs it. */
export interface DiffTest {
  readonly id: string;
  readonly name: string;
  readonly category: (typeof AREAS)[number];
  readonly required: boolean;
  readonly status: Status;
  readonly details: string;
  readonly fix?: string;
}

/** A report that was read back, scored as this version scores. */
export interface DiffSide {
  /** What the reader calls it: the name of its file. */
  readonly name: string;
  readonly specVersion: RevisionId;
  readonly toolVersion: string;
  readonly url: string;
  readonly timestamp: string;
  readonly transport?: string;
  /** Whether its skips are read from their wording, as it has no `skipped`. */
  readonly worded: boolean;
  readonly score: number;
  readonly grade: Grade;
  /** What the file itself says. */
  readonly recorded: { readonly score: number; readonly grade: string };
  readonly tests: ReadonlyMap<string, DiffTest>;
}

/**
 * Reads a JSON report of ours, or one of the older tool, mcp-compliance.
 * @throws DiffError for anything else, an unknown schemaVersion or specVersion, and the report of an interrupted run.
 */
export function readReport(text: string, name: string): DiffSide {
  const json = parsed(text, name);
  const { schemaVersion, specVersion } = headOf(json, name);
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new DiffError(
      `${name} has schemaVersion ${quoted(schemaVersion)}, and this version knows ${quoted(SCHEMA_VERSION)} only: compare it with the version that wrote it.`,
    );
  }
  const revision = REVISIONS.find((each) => each === specVersion);
  if (revision === undefined) {
    throw new DiffError(
      `${name} has specVersion ${quoted(specVersion)}, and this version knows ${REVISIONS.join(" and ")}: its ids mean nothing here.`,
    );
  }
  const read = v.safeParse(ReportSchema, json);
  if (!read.success) {
    const [issue] = read.issues;
    throw new DiffError(
      `${name} is no whole report: ${v.getDotPath(issue) ?? "it"} is not what the contract says (${issue.message}).`,
    );
  }
  const report = read.output;
  if (report.partial !== undefined) {
    throw new DiffError(
      `${name} is the report of a run that was not finished (${report.partial}): what it left out would count as skipped. Run it again.`,
    );
  }
  return sideOf(name, revision, report);
}

export const isFailing = (status: Status): boolean => status === "fail" || status === "blocked";
/** Whether nothing was measured. */
export const isSkip = (status: Status): boolean => status === "skipped" || status === "error";

// --- internal ---

const HeadSchema = v.looseObject({
  schemaVersion: v.optional(v.unknown()),
  specVersion: v.optional(v.unknown()),
  tests: v.array(v.unknown()),
});

const ReportSchema = v.looseObject({
  toolVersion: v.optional(v.string(), "unknown"),
  url: v.optional(v.string(), ""),
  timestamp: v.optional(v.string(), ""),
  score: v.number(),
  grade: v.string(),
  partial: v.optional(v.string()),
  environment: v.optional(v.looseObject({ transport: v.optional(v.string()) })),
  tests: v.array(
    v.looseObject({
      id: v.string(),
      name: v.optional(v.string(), ""),
      category: v.picklist(AREAS),
      required: v.boolean(),
      passed: v.boolean(),
      skipped: v.optional(v.boolean()),
      details: v.optional(v.string(), ""),
      status: v.optional(v.picklist(["pass", "fail", "skipped", "blocked", "error"])),
      fix: v.optional(v.string()),
    }),
  ),
});
type ReadReport = v.InferOutput<typeof ReportSchema>;
type ReadTest = ReadReport["tests"][number];

const WRITE = "mcp-assay test TARGET --format json";

function parsed(text: string, name: string): unknown {
  const start = text.replace(/^\ufeff/, "").trim();
  if (start === "") throw new DiffError(`${name} is empty: write a report with ${WRITE}.`);
  try {
    return JSON.parse(start);
  } catch {
    const why = /[[{]/.test(start[0] ?? "")
      ? "is cut off or damaged: it begins as JSON and is none"
      : "is no JSON: it may be a report in another format";
    throw new DiffError(`${name} ${why}. Write it anew with ${WRITE}.`);
  }
}

function headOf(json: unknown, name: string): { readonly schemaVersion?: unknown; readonly specVersion?: unknown } {
  if (v.is(HeadSchema, json)) return json;
  const what = v.is(v.looseObject({ runs: v.array(v.unknown()) }), json) ? "a SARIF log" : "JSON of another kind";
  throw new DiffError(`${name} is ${what}, and no report: diff compares what ${WRITE} writes.`);
}

function sideOf(name: string, specVersion: RevisionId, report: ReadReport): DiffSide {
  const worded = report.tests.every(({ status, skipped }) => status === undefined && skipped === undefined);
  const tests = new Map<string, DiffTest>();
  for (const test of report.tests) {
    if (tests.has(test.id)) throw new DiffError(`${name} is no whole report: it has ${quoted(test.id)} twice.`);
    const { id, category, required, details, fix } = test;
    tests.set(id, {
      ...{ id, name: test.name, category, required, details },
      status: statusOf(test),
      ...(fix === undefined ? {} : { fix }),
    });
  }
  const { score, grade } = assessTallies(
    [...tests.values()].map(({ category, required, status }) => ({
      area: category,
      required,
      passed: !isFailing(status),
      measured: !isSkip(status),
    })),
  );
  const transport = report.environment?.transport;
  return {
    name,
    specVersion,
    toolVersion: report.toolVersion,
    url: report.url,
    timestamp: report.timestamp,
    ...(transport === undefined ? {} : { transport }),
    worded,
    score,
    grade,
    recorded: { score: report.score, grade: report.grade },
    tests,
  };
}

/** Of the older tool's two booleans, or of `passed` and the words. */
function statusOf({ status, passed, skipped, details }: ReadTest): Status {
  if (status !== undefined) return status;
  if (!passed) return "fail";
  return (skipped ?? WORDED.test(details)) ? "skipped" : "pass";
}

// How the older tool words a pass that measured nothing.
const WORDED = /^skipped\b|\(skipped\)\s*$|\bnot applicable\b|\bno [\w -]{1,60} to (?:validate|test|check)\b/i;

const quoted = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value).slice(0, 80));
