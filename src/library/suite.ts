import { randomInt } from "node:crypto";
import { environment, tool } from "../about.ts";
import { checks } from "../checks/index.ts";
import { reachOf } from "../engine/reach.ts";
import { run } from "../engine/run.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { Report } from "../model/report.ts";
import { documentOf, testOf } from "../report/document.ts";
import type { ReportDocument, TestDocument } from "../report/json-contract.ts";
import { revisions } from "../revisions/index.ts";
import { createRedactor, type Redact } from "../text/redact.ts";
import { gateOf } from "./addresses.ts";
import { type CommonOptions, endChildrenAtExit, texts, timesOf, whole } from "./options.ts";
import { reach } from "./reach.ts";
import type { ServerTarget } from "./target.ts";

/** How a run goes. */
export interface SuiteOptions extends CommonOptions {
  /** The revision to judge by. Default `auto`: the newest that the server speaks. */
  readonly specVersion?: "auto" | RevisionId;
  /** How often a failed or blocked check is asked again. Default 0. */
  readonly retries?: number;
  /** Only these areas or check ids. */
  readonly only?: readonly string[];
  /** Leave these areas or check ids out; wins over `only`. */
  readonly skip?: readonly string[];
  /** Checks in flight at once. Default 1. */
  readonly concurrency?: number;
  /** Also call tools that are annotated as destructive. Default false. */
  readonly allowDestructive?: boolean;
  /** Told of each test as it falls, as the report will have it. */
  readonly onTestComplete?: (result: TestDocument) => void;
  /** Told of each test as it falls. There is no flag for a skip: one arrives as passed. */
  readonly onProgress?: (id: string, passed: boolean, details: string) => void;
  /** Told why nothing happens before the first test. */
  readonly onStatus?: (message: string) => void;
}

/** A finished run: its report, and what other documents are made of. */
export interface SuiteRun {
  readonly report: Report;
  readonly document: ReportDocument;
  readonly redact: Redact;
  /** stdio: the words of the command line; HTTP: the options of curl that reach the server as the run did. */
  readonly reach: readonly string[];
}

/**
 * Grades a server against the specification.
 * @throws TypeError where the target or an option is none. A server that can't be reached, or misbehaves, is no error: the
 * report says so.
 */
export const runComplianceSuite = async (target: ServerTarget, options: SuiteOptions = {}): Promise<ReportDocument> =>
  (await runSuite(target, options)).document;

/** The same for whoever wants other documents than the report: see `formatRun`. */
export async function runSuite(server: ServerTarget, options: SuiteOptions = {}): Promise<SuiteRun> {
  const { signal, onStatus, onProgress, onTestComplete, specVersion = "auto" } = options;
  if (specVersion !== "auto" && !Object.hasOwn(revisions, specVersion)) {
    throw new TypeError(
      `specVersion ${JSON.stringify(specVersion)} is none of auto, ${Object.keys(revisions).join(", ")}`,
    );
  }
  const times = timesOf(options);
  const filters = { only: texts(options.only, "only"), skip: texts(options.skip, "skip") };
  const { target, secrets } = reach(server, options, gateOf(options.addresses ?? "any", options.lookup));
  const redact = createRedactor(secrets);
  const way = reachOf(target);
  const patience = setTimeout(() => onStatus?.(WAITING), PATIENCE);
  endChildrenAtExit();
  try {
    const report = await run({
      revision: specVersion === "auto" ? "auto" : revisions[specVersion],
      target,
      checks,
      filters,
      times,
      allowDestructive: options.allowDestructive ?? false,
      concurrency: whole(options.concurrency, "concurrency", 1, 1),
      retries: whole(options.retries, "retries", 0, 0),
      progress(verdict, _done, _of, said) {
        if (onTestComplete === undefined && onProgress === undefined) return;
        const url = target.kind === "http" ? target.url.href : `stdio: ${way.join(" ")}`;
        const result = testOf(verdict, { transcript: said(), url, redact, reach: way });
        onTestComplete?.(result);
        onProgress?.(result.id, result.passed, result.details);
      },
      settled: () => clearTimeout(patience),
      ...(onStatus === undefined ? {} : { status: onStatus }),
      ...(signal === undefined ? {} : { signal }),
      clock: () => performance.now(),
      date: () => new Date(),
      random: (below) => randomInt(below),
      tool,
      environment,
    });
    return { report, document: documentOf(report, { redact, reach: way }), redact, reach: way };
  } finally {
    clearTimeout(patience);
  }
}

// --- internal ---

const PATIENCE = 2000;
const WAITING = "waiting for the server's answer to server/discover; specVersion 2025-11-25 leaves that question out";
