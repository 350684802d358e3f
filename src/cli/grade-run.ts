import { randomInt } from "node:crypto";
import { environment, tool } from "../about.ts";
import { checks } from "../checks/index.ts";
import type { Target } from "../engine/context.ts";
import { reachOf } from "../engine/reach.ts";
import { run } from "../engine/run.ts";
import { expectedOf } from "../grade/expected.ts";
import { assess, atLeast, strictFindings } from "../grade/grade.ts";
import type { Report } from "../model/report.ts";
import { revisions } from "../revisions/index.ts";
import { oneLine } from "../text/escape.ts";
import { createRedactor, type Redact, type Secret } from "../text/redact.ts";
import { EXIT } from "./exit.ts";
import { type Expectations, readExpectations, silentAbout } from "./expectations.ts";
import { onInterrupt } from "./interrupt.ts";
import { checkOutputs, writeOutputs } from "./outputs.ts";
import { progressOn } from "./progress.ts";
import type { TestSettings } from "./settings.ts";
import { printError } from "./terminal.ts";
import { UsageError } from "./usage.ts";

export interface GradeOptions {
  readonly settings: TestSettings;
  readonly noColor: boolean;
  readonly secrets: readonly Secret[];
}

/** A run that can be made once or many times. */
export interface PreparedRun {
  readonly redact: Redact;
  judge(signal: AbortSignal): Promise<Report>;
  /** Writes every document; returns what could not be written. */
  publish(report: Report): Promise<readonly string[]>;
}

/** Runs the catalog on a target, prints the report, and returns the exit code. */
export async function gradeTarget(target: Target, options: GradeOptions): Promise<number> {
  const { judge, publish } = prepareRun(target, options);
  const report = await judge(onInterrupt());
  const lost = await publish(report);
  for (const problem of lost) await printError(`mcp-assay: ${problem}`);
  return exitCode(report, options, lost.length > 0);
}

/** Finds what is wrong with the settings before anything is started. */
export function prepareRun(target: Target, options: GradeOptions): PreparedRun {
  const { settings } = options;
  const redact = createRedactor(options.secrets);
  const reach = reachOf(target);
  checkOutputs(settings.outputs);
  const expectations =
    settings.expectedFailures === undefined ? undefined : readExpectations(settings.expectedFailures, process.cwd());
  return {
    redact,
    async judge(signal) {
      const report = held(await judged(target, options, redact, signal), expectations);
      if (report.verdicts.length > 0) return report;
      for (const warning of report.warnings) await printError(`warning: ${oneLine(redact(warning), 2000)}`);
      throw new UsageError("No tests ran: check --only and --skip.");
    },
    publish: (report) => writeOutputs(report, settings.outputs, { redact, reach, noColor: options.noColor }),
  };
}

// --- internal ---

async function judged(
  target: Target,
  { settings }: GradeOptions,
  redact: Redact,
  signal: AbortSignal,
): Promise<Report> {
  const progress = progressOn(process.stderr, {
    verbose: settings.verbose,
    redact,
    dumb: process.env["TERM"] === "dumb",
  });
  const patience = setTimeout(() => {
    if (settings.outputs.stdout === "terminal" && settings.specVersion === "auto") progress.say(WAITING);
  }, 2000);
  const report = await run({
    revision: pinned(settings.specVersion),
    target: overheard(target, settings.verbose, redact),
    checks,
    filters: settings,
    times: settings.times,
    allowDestructive: settings.allowDestructive,
    concurrency: settings.concurrency,
    retries: settings.retries,
    starting: progress.starting,
    progress: progress.tell,
    settled: () => clearTimeout(patience),
    signal,
    clock: () => performance.now(),
    date: () => new Date(),
    random: (below) => randomInt(below),
    tool,
    environment,
  });
  progress.done();
  return report;
}

const WAITING =
  "waiting for the server's answer to server/discover; --spec-version 2025-11-25 leaves that question out";

const pinned = (version: TestSettings["specVersion"]) => (version === "auto" ? version : revisions[version]);

/** The report with what the user expects held against it. */
function held(report: Report, expectations: Expectations | undefined): Report {
  if (expectations === undefined || report.verdicts.length === 0) return report;
  const { file, entries } = expectations;
  return {
    ...report,
    warnings: [...report.warnings, ...silentAbout(expectations, report.revision)],
    expected: expectedOf(report.verdicts, entries[report.revision] ?? [], {
      file,
      today: report.timestamp.slice(0, 10),
    }),
  };
}

/** With --verbose the user sees what the server writes to its stderr, as inert as everything else of it. */
const overheard = (target: Target, verbose: boolean, redact: Redact): Target =>
  target.kind === "stdio" && verbose
    ? { ...target, stderr: (line) => void printError(`server: ${oneLine(redact(line), 2000)}`) }
    : target;

function exitCode(report: Report, { settings }: GradeOptions, lost: boolean): number {
  if (report.partial !== undefined) return EXIT.interrupted;
  if (report.verdicts.some(({ outcome }) => outcome.status === "error")) return EXIT.ourFault;
  if (lost) return EXIT.usage;
  if (report.refused) return EXIT.unauthorized;
  if (!report.heard) return EXIT.unreachable;
  const { accepted = [], stale = [], unexpected = [] } = report.expected ?? {};
  if (stale.length + unexpected.length > 0) return EXIT.findings;
  const known = new Set(accepted.map(({ id }) => id));
  if (settings.strict && strictFindings(report.verdicts).some(({ row }) => !known.has(row.id))) return EXIT.findings;
  if (settings.minGrade !== undefined && !atLeast(assess(report.verdicts).grade, settings.minGrade))
    return EXIT.findings;
  return EXIT.fine;
}
