import { type Outcome, worst } from "../model/outcome.ts";

/** A pass with these further words beside it; any other outcome as it is. */
export function noting(outcome: Outcome, notes: readonly string[]): Outcome {
  if (outcome.status !== "pass" || notes.length === 0) return outcome;
  const left = notes.length - MOST;
  const more = left > 0 ? [`and ${left} more of the kind`] : [];
  return { ...outcome, note: [...notes.slice(0, MOST), ...more].join("; ") };
}

/** The worst of several outcomes; a pass of them all says in one sentence what was seen. */
export function together(outcomes: readonly [Outcome, ...Outcome[]], saw: string): Outcome {
  const [first, ...rest] = outcomes;
  const notes = outcomes.flatMap((one) => (one.status === "pass" && one.note !== undefined ? [one.note] : []));
  const found = worst(first, ...rest);
  return noting(found.status === "pass" ? { ...found, saw } : found, notes);
}

// --- internal ---

const MOST = 3;
