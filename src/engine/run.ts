import { capabilities, opened } from "../facts/opening.ts";
import type { Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import { skipped } from "../model/outcome.ts";
import type { Progress, Report } from "../model/report.ts";
import type { Revision } from "../revisions/revision.ts";
import { count } from "../text/count.ts";
import { createRecorder } from "../wire/recorder.ts";
import { attempt, flaky, isRetried, type Tried } from "./attempts.ts";
import { createBenches } from "./bench.ts";
import { type Context, type Target, type Times, viewOf } from "./context.ts";
import { onAbort } from "./interruption.ts";
import { review } from "./judge.ts";
import { createPatience } from "./patience.ts";
import { pool } from "./pool.ts";
import { PROBE } from "./probe.ts";
import { goneWarning, limitWarning, noiseWarning } from "./remarks.ts";
import { type Filters, select } from "./select.ts";
import { serverFacts } from "./server-facts.ts";
import { settleRevision } from "./settle.ts";
import { legacyHint, onlyRefused, STILLBORN, troubleOf } from "./trouble.ts";
import { createVerdicts } from "./verdicts.ts";

export interface RunOptions {
  /** The revision to judge by; auto: the newest that the server speaks. */
  readonly revision: Revision | "auto";
  readonly target: Target;
  /** All checks there are, of any revision. */
  readonly checks: readonly Check[];
  readonly filters: Filters;
  readonly times: Times;
  readonly allowDestructive?: boolean;
  /** Checks in flight at once. */
  readonly concurrency: number;
  /** How often a check is asked again that failed or is blocked. Default: never. */
  readonly retries?: number;
  readonly progress?: Progress;
  /** Told of each check as it is taken up. */
  readonly starting?: (row: Row, of: number) => void;
  /** Called once the revision is settled, which takes as long as the server's first answer. */
  readonly settled?: () => void;
  /** Told why the run waits before it has begun. */
  readonly status?: (message: string) => void;
  /** Ends the run early; the report says so. */
  readonly signal?: AbortSignal;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  readonly date: () => Date;
  readonly random: (below: number) => number;
  readonly tool: Report["tool"];
  readonly environment: Report["environment"];
  /** The order in which checks are taken up. Default: of the catalog. */
  readonly shuffle?: (rows: readonly Row[]) => readonly Row[];
}

/** Judges one server by one revision: exactly one verdict per selected row, in catalog order. */
export async function run(options: RunOptions): Promise<Report> {
  const { target, concurrency, retries = 0 } = options;
  const recorder = createRecorder(options.clock);
  const interruption = onAbort(options.signal, recorder);
  const { stopped, unless } = interruption;
  const view = viewOf(target);
  const warnings = new Set<string>();
  const settled = await settleRevision(options, recorder, view);
  const { revision } = settled;
  options.settled?.();
  const selection = select(revision.catalog, target.kind, revision.id, options.filters);
  for (const warning of selection.warnings) warnings.add(warning);
  let lastId = 1000;
  const context: Context = {
    revision,
    target,
    view,
    recorder,
    times: options.times,
    allowDestructive: options.allowDestructive === true,
    random: options.random,
    id: () => ++lastId,
    warn: (text) => void warnings.add(text),
    stopped,
    patiently: createPatience(stopped),
    farewells: new Set(),
    paramHeaders: new Map(),
    adopt: settled.adopt,
  };
  const benches = createBenches(context);
  const checks = new Map(options.checks.map((check) => [check.id, check]));
  const verdicts = createVerdicts({ rows: selection.rows, checks, peek: benches.peek, recorder, ...tellerOf(options) });
  const judgements = new Map<Row, Tried>();

  const missing = revision.catalog.filter((row) => !checks.has(row.id)).length;
  if (missing > 0) {
    warnings.add(
      `${missing} of ${count(revision.catalog.length, "check")} are not implemented yet: they are reported as skipped.`,
    );
  }
  const { learner, commons } = benches.now();
  if (!stopped()) await unless(learner.get(opened));
  if (!stopped()) await unless(learner.get(capabilities));
  const first = commons.refusal();
  const died = settled.killed === true && first !== undefined;
  for (const warning of died ? [STILLBORN] : settled.warnings) warnings.add(warning);
  const hint = await legacyHint(context, first);
  if (hint !== undefined) warnings.add(hint);

  const settle = (row: Row, tried: Tried): Promise<void> => verdicts.settle(row, flaky(tried), tried);

  const work = async (row: Row): Promise<void> => {
    const check = checks.get(row.id);
    if (check === undefined) return verdicts.settle(row, skipped("this check is not implemented yet"));
    options.starting?.(row, selection.rows.length);
    const tried = await attempt(benches.now(), row, check, options.clock, judgements.get(row));
    // It may have been cut off in the middle.
    if (stopped()) return;
    judgements.set(row, tried);
    const done = tried.attempts > retries || !isRetried(check, tried);
    if (done && check.review === undefined) await settle(row, tried);
  };

  const order = options.shuffle?.(selection.rows) ?? selection.rows;
  const isAlone = (row: Row) => checks.get(row.id)?.effect === "alone";
  const rounds = [
    [concurrency, order.filter((row) => !isAlone(row))],
    [1, order.filter(isAlone)],
  ] as const;
  for (const [width, rows] of rounds) {
    await unless(pool(width, rows, stopped, work));
    await Promise.all(context.farewells);
    for (let round = 0; round < retries && !stopped(); round++) {
      const again = rows.filter((row) => isRetried(checks.get(row.id), judgements.get(row)));
      if (again.length === 0) break;
      await benches.renew();
      await unless(pool(width, again, stopped, work));
      await Promise.all(context.farewells);
    }
  }
  const last = benches.now().commons;
  // Before we end it ourselves.
  const ended = last.ended();
  await last.close();
  await Promise.all(context.farewells);
  const refusal = last.refusal();
  const said = recorder.transcript().filter(({ sender }) => sender !== PROBE);
  for (const row of selection.rows) {
    const check = checks.get(row.id);
    const tried = judgements.get(row);
    if (verdicts.has(row)) continue;
    if (check === undefined || tried === undefined) {
      await verdicts.settle(row, skipped("the run was interrupted before this check"));
    } else await settle(row, { ...tried, outcome: review(row, check, said, tried, refusal) });
  }

  interruption.off();
  const transcript = recorder.transcript();
  for (const remark of [goneWarning, limitWarning, noiseWarning]) {
    const warning = remark(verdicts.all(), transcript);
    if (warning !== undefined) warnings.add(warning);
  }
  const trouble = hint ?? troubleOf(refusal, ended);
  const stderrTail = last.stderrTail();
  return {
    revision: revision.id,
    ...(settled.note === undefined ? {} : { revisionNote: settled.note }),
    transport: target.kind,
    url: view.url?.href ?? `stdio: ${view.command.join(" ")}`,
    timestamp: options.date().toISOString(),
    verdicts: verdicts.all(),
    elsewhere: selection.elsewhere,
    rows: revision.catalog.length,
    warnings: [...warnings],
    server: await serverFacts(benches.peek),
    transcript,
    heard: transcript.some((exchange) => exchange.received.some((each) => each.message?.jsonrpc !== undefined)),
    refused: onlyRefused(transcript, view),
    ...(trouble === undefined ? {} : { trouble }),
    ...(stderrTail === "" ? {} : { stderrTail }),
    ...(stopped() ? { partial: "interrupted" } : {}),
    tool: options.tool,
    environment: options.environment,
    ms: recorder.now(),
  };
}

// --- internal ---

const tellerOf = ({ progress }: RunOptions) => (progress === undefined ? {} : { progress });
