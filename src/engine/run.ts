import { lists } from "../facts/lists.ts";
import { capabilities, opened } from "../facts/opening.ts";
import type { Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import type { Exchange, Transcript } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { type Outcome, skipped } from "../model/outcome.ts";
import type { Progress, Report, ServerFacts, Verdict } from "../model/report.ts";
import type { Revision } from "../revisions/revision.ts";
import { createRecorder } from "../wire/recorder.ts";
import { isAuthorizationRefusal } from "./attribution.ts";
import { speaksSse } from "./channel-sse.ts";
import { createCommons } from "./commons.ts";
import { type Context, type Target, type Times, viewOf } from "./context.ts";
import { declares, type Judgement, judge, review } from "./judge.ts";
import { createLearner, type Learner } from "./learner.ts";
import { pool } from "./pool.ts";
import { type Filters, select } from "./select.ts";
import { createView } from "./view.ts";

export interface RunOptions {
  readonly revision: Revision;
  readonly target: Target;
  /** All checks there are, of any revision. */
  readonly checks: readonly Check[];
  readonly filters: Filters;
  readonly times: Times;
  readonly allowDestructive?: boolean;
  /** Checks in flight at once. */
  readonly concurrency: number;
  readonly progress?: Progress;
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
  const { revision, target, concurrency, signal } = options;
  const recorder = createRecorder(options.clock);
  const view = viewOf(target);
  const selection = select(revision.catalog, target.kind, revision.id, options.filters);
  const warnings = new Set(selection.warnings);
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
    farewells: new Set(),
    paramHeaders: new Map(),
  };
  const commons = createCommons(context);
  const learner = createLearner(async (sender) => {
    const channel = await commons.channel();
    return createView(context, { sender, effect: "shared", channel, refusal: commons.refusal }).server;
  });
  const byId = new Map(options.checks.map((check) => [check.id, check]));
  const stopped = () => signal?.aborted === true;
  const judgements = new Map<Row, Judgement & { readonly ms: number }>();
  const verdicts = new Map<Row, Verdict>();
  let inFlight = 0;

  const missing = revision.catalog.filter((row) => !byId.has(row.id)).length;
  if (missing > 0) {
    warnings.add(
      `${missing} of ${revision.catalog.length} checks are not implemented yet: they are reported as skipped.`,
    );
  }

  await learner.get(opened);
  const hint = await legacyHint(context, commons.refusal());
  if (hint !== undefined) warnings.add(hint);
  const declared = await learner.peek(capabilities);
  await learner.get(capabilities);

  const settle = async (
    row: Row,
    check: Check | undefined,
    outcome: Outcome,
    from: Judgement | undefined,
    ms: number,
  ) => {
    const declaredNow = declared ?? (await learner.peek(capabilities));
    const verdict: Verdict = {
      row,
      title: check?.title ?? row.requirement,
      why: check?.why ?? "",
      fix: check?.fix ?? "",
      required: typeof row.required === "boolean" ? row.required : declares(declaredNow, row.required.capability),
      outcome,
      evidence: evidenceOf(outcome, from, check, recorder.transcript()),
      ms,
    };
    verdicts.set(row, verdict);
    options.progress?.(verdict, verdicts.size, selection.rows.length);
  };

  const work = async (row: Row): Promise<void> => {
    const check = byId.get(row.id);
    if (check === undefined) return settle(row, check, skipped("this check is not implemented yet"), undefined, 0);
    const began = options.clock();
    const bench = { context, commons, learner, crowded: () => inFlight > 1 };
    inFlight++;
    let judged = await judge(bench, row, check);
    inFlight--;
    if (judged.again) judged = await judge(bench, row, check, true);
    const ms = options.clock() - began;
    judgements.set(row, { ...judged, ms });
    if (check.review === undefined) await settle(row, check, judged.outcome, judged, ms);
  };

  const effect = (row: Row) => byId.get(row.id)?.effect ?? "shared";
  const order = options.shuffle?.(selection.rows) ?? selection.rows;
  await pool(
    concurrency,
    order.filter((row) => effect(row) !== "alone"),
    stopped,
    work,
  );
  await Promise.all(context.farewells);
  await pool(
    1,
    order.filter((row) => effect(row) === "alone"),
    stopped,
    work,
  );
  await commons.close();
  await Promise.all(context.farewells);
  const transcript = recorder.transcript();
  for (const row of selection.rows) {
    const check = byId.get(row.id);
    const judged = judgements.get(row);
    if (verdicts.has(row)) continue;
    if (check === undefined || judged === undefined) {
      await settle(row, check, skipped("the run was interrupted before this check"), undefined, 0);
    } else await settle(row, check, review(row, check, transcript, judged), judged, judged.ms);
  }

  const trouble = hint ?? troubleOf(commons.refusal(), commons.ended());
  const stderrTail = commons.stderrTail();
  return {
    revision: revision.id,
    transport: target.kind,
    url: view.url?.href ?? `stdio: ${view.command.join(" ")}`,
    timestamp: options.date().toISOString(),
    verdicts: selection.rows.flatMap((row) => verdicts.get(row) ?? []),
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

function evidenceOf(
  outcome: Outcome,
  judged: Judgement | undefined,
  check: Check | undefined,
  transcript: Transcript,
): readonly number[] {
  const cited = "cites" in outcome ? (outcome.cites ?? []) : [];
  if (cited.length > 0) return cited;
  const sent = judged?.sent ?? [];
  if (sent.length > 0) return sent.slice(-3).reverse();
  const facts = new Set(Object.values(check?.needs ?? {}).map((fact) => `fact:${fact.name}`));
  return transcript.flatMap((exchange) => (facts.has(exchange.sender) ? [exchange.n] : [])).slice(0, 3);
}

/** A URL that refuses initialize may be one of the older transport. */
async function legacyHint(context: Context, refusal: string | undefined): Promise<string | undefined> {
  const { target, recorder } = context;
  if (refusal === undefined || target.kind !== "http" || target.sse === true) return undefined;
  const status = recorder.transcript()[0]?.http?.status ?? 0;
  if (status < 400 || status >= 500 || status === 401 || !(await speaksSse(context, target))) return undefined;
  return `${target.url.href} speaks the HTTP+SSE transport of 2024-11-05: test it with --transport sse.`;
}

function troubleOf(refusal: string | undefined, ended: string | undefined): string | undefined {
  if (refusal === undefined) return undefined;
  return ended === undefined || refusal.includes(ended) ? refusal : `${refusal}; the process ${ended}`;
}

const onlyRefused = (transcript: Transcript, view: Context["view"]): boolean => {
  const answered = transcript.filter((exchange: Exchange) => exchange.http !== undefined);
  return answered.length > 0 && answered.every((exchange) => isAuthorizationRefusal(exchange, view));
};

async function serverFacts(learner: Learner): Promise<ServerFacts> {
  const result = (await learner.peek(opened))?.exchange.reply?.result;
  const text = (...path: string[]): string | null => {
    const value = at(result, ...path);
    return typeof value === "string" ? value : null;
  };
  const names = async (kind: keyof typeof lists, key: string): Promise<readonly string[] | null> => {
    const list = await learner.peek(lists[kind]);
    return list === undefined ? null : list.items.flatMap((item) => (isObject(item) ? [String(item[key])] : []));
  };
  return {
    protocolVersion: text("protocolVersion"),
    name: text("serverInfo", "name"),
    version: text("serverInfo", "version"),
    capabilities: at(result, "capabilities") ?? null,
    tools: await names("tools", "name"),
    resources: await names("resources", "uri"),
    prompts: await names("prompts", "name"),
  };
}
