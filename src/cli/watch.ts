import { resolve } from "node:path";
import type { Target } from "../engine/context.ts";
import type { Report } from "../model/report.ts";
import { compareReports, scoresOf, sectionsOf, totalsOf } from "../report/diff.ts";
import { DiffError, readReport } from "../report/diff-read.ts";
import { toJson } from "../report/json.ts";
import { oneLine } from "../text/escape.ts";
import type { Redact } from "../text/redact.ts";
import { EXIT } from "./exit.ts";
import { type GradeOptions, prepareRun } from "./grade-run.ts";
import { onInterrupt } from "./interrupt.ts";
import { printError } from "./terminal.ts";
import { UsageError } from "./usage.ts";
import { watchTree } from "./watch-tree.ts";

/** Milliseconds without a further change before the next run. */
const QUIET = 500;

/** Runs the tests, and again whenever files change, until the user ends it. Prints first what is new. */
export async function watchTarget(target: Target, options: GradeOptions): Promise<number> {
  if (target.kind !== "stdio") {
    throw new UsageError(
      "--watch starts the server anew after each change, so it needs a command, and the target is a URL.",
    );
  }
  const { stdout, files, badge, transcript } = options.settings.outputs;
  if (!WATCHABLE.includes(stdout)) {
    throw new UsageError(
      `--watch prints for people (${WATCHABLE.join(", ")}), and --format is ${stdout}: give it a file, as --format ${stdout}=FILE.`,
    );
  }
  const root = process.cwd();
  const { command, args, cwd = root } = target.command;
  const tree = watchTree(root, {
    needed: [command, ...args].map((word) => resolve(cwd, word)),
    ours: [...files.map(({ path }) => path), badge, transcript].flatMap((path) => path ?? []),
    streams: [1, 2],
  });
  const signal = onInterrupt();
  const { judge, publish, redact } = prepareRun(target, options);
  let before: Report | undefined;
  let meanwhile: readonly string[] = [];
  try {
    for (let runs = 1; ; runs++) {
      const report = await judge(signal);
      if (signal.aborted) return EXIT.interrupted;
      if (before !== undefined) await printError(changes(before, report, redact));
      for (const problem of await publish(report)) await printError(`mcp-assay: ${problem}`);
      before = report;
      // What is written during each run is the server's own doing, and would keep us going for ever.
      const since = tree.take();
      let changed: readonly string[] = since.filter((path) => !meanwhile.includes(path));
      meanwhile = since;
      if (changed.length === 0) await printError(`watching ${root}; Ctrl-C ends it`);
      while (changed.length === 0 && !signal.aborted) {
        await tree.next(QUIET, signal);
        changed = tree.take();
      }
      if (signal.aborted) return EXIT.interrupted;
      await printError(`\n${named(changed)} changed: run ${runs + 1}`);
    }
  } finally {
    tree.close();
  }
}

// --- internal ---

const WATCHABLE: readonly string[] = ["terminal", "markdown", "html"];

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => oneLine(path, 80));
  return `${shown.join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
}

/** What is new since the last run, each check on a line. */
function changes(before: Report, now: Report, redact: Redact): string {
  const side = (report: Report, name: string) => readReport(toJson(report, { redact }), name);
  try {
    const diff = compareReports(side(before, "the last run"), side(now, "this run"));
    const lines = sectionsOf(diff).flatMap(([title, all]) =>
      all.map(({ id, now: is }) => `  ${title}: ${id}${is === undefined ? "" : ` (${oneLine(is.details, 200)})`}`),
    );
    return [`since the last run: ${scoresOf(diff)}; ${totalsOf(diff)}`, ...lines].join("\n");
  } catch (error) {
    if (error instanceof DiffError) {
      return `since the last run: the server was judged by ${before.revision}, and now is by ${now.revision}`;
    }
    throw error;
  }
}
