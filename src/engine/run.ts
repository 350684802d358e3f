import { capabilities, opened } from "../facts/opening.ts";
import type { Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import type { Transcript } from "../model/exchange.ts";
import { skipped } from "../model/outcome.ts";
import type { Progress, Report } from "../model/report.ts";
import type { Revision } from "../revisions/revision.ts";
import { createRecorder } from "../wire/recorder.ts";
import { isAuthorizationRefusal } from "./attribution.ts";
import { speaksSse } from "./channel-sse.ts";
import { createCommons } from "./commons.ts";
import { type Context, type Target, type Times, viewOf } from "./context.ts";
import { type Judgement, judge, review } from "./judge.ts";
import { createLearner } from "./learner.ts";
import { pool } from "./pool.ts";
import { PROBE } from "./probe.ts";
import { type Filters, select } from "./select.ts";
import { serverFacts } from "./server-facts.ts";
import { settleRevision } from "./settle.ts";
import { createVerdicts } from "./verdicts.ts";
import { createView } from "./view.ts";

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
  readonly progress?: Progress;
  /** Called once the revision is settled, which takes as long as the server's first answer. */
  readonly settled?: () => void;
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
  const { target, concurrency, signal } = options;
  const stopped = () => signal?.aborted === true;
  const recorder = createRecorder(options.clock);
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
    farewells: new Set(),
    paramHeaders: new Map(),
    adopt: settled.adopt,
  };
  const commons = createCommons(context);
  const learner = createLearner(async (sender) => {
    const channel = await commons.channel();
    return createView(context, { sender, effect: "shared", channel, refusal: commons.refusal }).server;
  });
  const checks = new Map(options.checks.map((check) => [check.id, check]));
  const verdicts = createVerdicts({ rows: selection.rows, checks, learner, recorder, ...tellerOf(options) });
  const judgements = new Map<Row, Judgement & { readonly ms: number }>();
  let inFlight = 0;

  const missing = revision.catalog.filter((row) => !checks.has(row.id)).length;
  if (missing > 0) {
    warnings.add(
      `${missing} of ${revision.catalog.length} checks are not implemented yet: they are reported as skipped.`,
    );
  }
  if (!stopped()) await learner.get(opened);
  if (!stopped()) await learner.get(capabilities);
  const died = settled.killed === true && commons.refusal() !== undefined;
  for (const warning of died ? [STILLBORN] : settled.warnings) warnings.add(warning);
  const hint = await legacyHint(context, commons.refusal());
  if (hint !== undefined) warnings.add(hint);

  const work = async (row: Row): Promise<void> => {
    const check = checks.get(row.id);
    if (check === undefined) return verdicts.settle(row, skipped("this check is not implemented yet"));
    const began = options.clock();
    const bench = { context, commons, learner, crowded: () => inFlight > 1 };
    inFlight++;
    let judged = await judge(bench, row, check);
    inFlight--;
    if (judged.again) judged = await judge(bench, row, check, true);
    const ms = options.clock() - began;
    judgements.set(row, { ...judged, ms });
    if (check.review === undefined) await verdicts.settle(row, judged.outcome, judged, ms);
  };

  const order = options.shuffle?.(selection.rows) ?? selection.rows;
  const isAlone = (row: Row) => checks.get(row.id)?.effect === "alone";
  await pool(
    concurrency,
    order.filter((row) => !isAlone(row)),
    stopped,
    work,
  );
  await Promise.all(context.farewells);
  await pool(1, order.filter(isAlone), stopped, work);
  await commons.close();
  await Promise.all(context.farewells);
  const said = recorder.transcript().filter(({ sender }) => sender !== PROBE);
  for (const row of selection.rows) {
    const check = checks.get(row.id);
    const judged = judgements.get(row);
    if (verdicts.has(row)) continue;
    if (check === undefined || judged === undefined) {
      await verdicts.settle(row, skipped("the run was interrupted before this check"));
    } else await verdicts.settle(row, review(row, check, said, judged, commons.refusal()), judged, judged.ms);
  }

  const transcript = recorder.transcript();
  const trouble = hint ?? troubleOf(commons.refusal(), commons.ended());
  const stderrTail = commons.stderrTail();
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
    server: await serverFacts(learner),
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

const STILLBORN =
  "The server's process ends at start-up, with server/discover or without: check the command, its arguments and its environment.";

/** A URL that refuses initialize may be one of the older transport. */
async function legacyHint(context: Context, refusal: string | undefined): Promise<string | undefined> {
  const { target, recorder } = context;
  if (refusal === undefined || target.kind !== "http" || target.sse === true) return undefined;
  const opening = recorder.transcript().find(({ sender }) => sender === "opening");
  const status = opening?.http?.status ?? 0;
  if (status < 400 || status >= 500 || status === 401 || !(await speaksSse(context, target))) return undefined;
  return `${target.url.href} speaks the HTTP+SSE transport of 2024-11-05: test it with --transport sse.`;
}

function troubleOf(refusal: string | undefined, ended: string | undefined): string | undefined {
  if (refusal === undefined) return undefined;
  return ended === undefined || refusal.includes(ended) ? refusal : `${refusal}; the process ${ended}`;
}

/** Whether the endpoint itself gave nothing but refusals of the credential; documents beside it don't count. */
const onlyRefused = (transcript: Transcript, view: Context["view"]): boolean => {
  const answered = transcript.filter(({ http, sent }) => http !== undefined && sent.http?.url === view.url?.href);
  return answered.length > 0 && answered.every((exchange) => isAuthorizationRefusal(exchange, view));
};

const tellerOf = ({ progress }: RunOptions) => (progress === undefined ? {} : { progress });
