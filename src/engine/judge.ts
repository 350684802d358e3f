import * as v from "valibot";
import { negotiated } from "../facts/opening.ts";
import type { Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import type { Transcript } from "../model/exchange.ts";
import { at } from "../model/json.ts";
import { Blocked, blocked, Failed, type Outcome, skipped, worst } from "../model/outcome.ts";
import { createChannel } from "./channel.ts";
import type { Commons } from "./commons.ts";
import { type Context, reopening } from "./context.ts";
import type { Learner } from "./learner.ts";
import { createView } from "./view.ts";

export interface Judgement {
  readonly outcome: Outcome;
  /** Numbers of the exchanges that the check had, in order. */
  readonly sent: readonly number[];
  readonly known: Readonly<Record<string, unknown>>;
  /** Whether the check has measured; a review alone counts when it may. */
  readonly ran: boolean;
  /** The server died while others were in flight: to be asked again alone. */
  readonly again: boolean;
}

export interface Bench {
  readonly context: Context;
  readonly commons: Commons;
  readonly learner: Learner;
  /** The rows being judged right now. */
  readonly inFlight: Set<Row>;
}

/** Runs one check on one row. Whatever is thrown becomes one of the five outcomes. */
export async function judge(
  { context, commons, learner, inFlight }: Bench,
  row: Row,
  check: Check,
  alone = false,
): Promise<Judgement> {
  let sent: readonly number[] = [];
  let known: Readonly<Record<string, unknown>> = {};
  let again = false;
  let ran = false;
  const outcome = await (async (): Promise<Outcome> => {
    const got = await learner.all(check.needs);
    if ("missing" in got) {
      const { missing } = got;
      if (missing.is === "absent") return skipped(missing.because);
      return blocked(missing.because, missing.by, ...(missing.cites ?? []));
    }
    known = got.known;
    const tooOld = await olderThan(row, learner);
    if (tooOld !== undefined) return skipped(tooOld);
    if (context.view.sse && (check.uses === "http" || row.area === "transport")) {
      return skipped("not in the HTTP+SSE transport of 2024-11-05");
    }
    ran = true;
    if (check.run === undefined) return skipped("judged at the end of the run");
    const shared = check.effect === "shared" && !alone;
    const channel = shared
      ? await commons.channel()
      : createChannel(context, { sender: check.id, openingTimeout: reopening(context) });
    const view = createView(context, {
      sender: check.id,
      effect: check.effect,
      channel,
      refusal: commons.refusal,
    });
    try {
      const params = v.parse(check.params, row.params ?? {});
      return await check.run(got.known, { ...view.server, params });
    } catch (cause) {
      if (cause instanceof Failed && cause.death && shared && inFlight.size > 1) again = true;
      return outcomeOf(cause);
    } finally {
      sent = view.sent.map((exchange) => exchange.n);
      await view.close();
      if (!shared) await channel.close();
    }
  })().catch(outcomeOf);
  return { outcome, sent, known, ran, again };
}

/** The review of a check over the finished transcript, joined with what its run found. */
export function review(
  row: Row,
  check: Check,
  transcript: Transcript,
  { outcome, known, ran }: Judgement,
  refusal?: string,
): Outcome {
  if (check.review === undefined || outcome.status === "error") return outcome;
  // A rule that doesn't bind binds no review; a review alone lacks its facts where they are broken.
  if (!ran && (outcome.status === "skipped" || check.run === undefined)) return outcome;
  const heard = transcript.some((exchange) => exchange.received.length > 0 || exchange.http !== undefined);
  if (!heard && outcome.status === "blocked") return outcome;
  if (!heard) return refusal === undefined ? blocked("nothing was received at all") : blocked(refusal, "opening");
  try {
    const found = check.review(transcript, known, v.parse(check.params, row.params ?? {}));
    return check.run === undefined ? found : worst(outcome, found);
  } catch (cause) {
    return ran ? outcomeOf(cause) : outcome;
  }
}

/** Whether the declared capability (dots go down) is there. */
export const declares = (capabilities: unknown, path: string): boolean => {
  const found = at(capabilities, ...path.split("."));
  return found !== undefined && found !== null && found !== false;
};

// --- internal ---

function outcomeOf(cause: unknown): Outcome {
  if (cause instanceof Blocked) return blocked(cause.message, cause.by, ...cause.cited);
  if (cause instanceof Failed) return cause.outcome;
  return { status: "error", because: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) };
}

async function olderThan({ since }: Row, learner: Learner): Promise<string | undefined> {
  if (since === undefined) return undefined;
  const version = await learner.get(negotiated);
  if (version.is !== "known" || !/^\d{4}-\d\d-\d\d$/.test(version.value) || version.value >= since) return undefined;
  return `not in ${version.value}, which the server negotiated (the rule came with ${since})`;
}
