import type { Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import type { Outcome } from "../model/outcome.ts";
import { type Bench, type Judgement, judge } from "./judge.ts";

/** What the last attempt at a row came to, and how it got there. */
export interface Tried extends Judgement {
  /** The attempts so far, this one counted. */
  readonly attempts: number;
  /** What the one before it found. */
  readonly before?: Outcome;
  /** Of all attempts together. */
  readonly ms: number;
}

/** Judges a row once more. If the server died while others were in flight, it is asked alone before it is blamed. */
export async function attempt(
  bench: Bench,
  row: Row,
  check: Check,
  clock: () => number,
  earlier: Tried | undefined,
): Promise<Tried> {
  const began = clock();
  bench.inFlight.add(row);
  let judged = await judge(bench, row, check);
  bench.inFlight.delete(row);
  if (judged.again) judged = await judge(bench, row, check, true);
  return {
    ...judged,
    attempts: (earlier?.attempts ?? 0) + 1,
    ...(earlier === undefined ? {} : { before: earlier.outcome }),
    ms: (earlier?.ms ?? 0) + clock() - began,
  };
}

/** Whether the row is one that --retries asks again: what only a review judges is never repeated. */
export const isRetried = (check: Check | undefined, tried: Tried | undefined): boolean =>
  check?.run !== undefined && (tried?.outcome.status === "fail" || tried?.outcome.status === "blocked");

/** The outcome of the last attempt; a pass after a failure says that it is flaky. */
export function flaky({ outcome, attempts, before }: Tried): Outcome {
  if (outcome.status !== "pass" || before === undefined) return outcome;
  const note = `flaky: it passed at attempt ${attempts}; the attempt before it: ${said(before)}`;
  return { ...outcome, note: outcome.note === undefined ? note : `${outcome.note}; ${note}` };
}

// --- internal ---

const said = (outcome: Outcome): string =>
  outcome.status === "fail"
    ? `expected ${outcome.expected}, got ${outcome.actual}`
    : "because" in outcome
      ? outcome.because
      : "";
