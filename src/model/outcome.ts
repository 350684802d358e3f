import type { Exchange } from "./exchange.ts";

/** What one check found. Exactly one of five; there is no boolean anywhere. */
export type Outcome =
  | { readonly status: "pass"; readonly saw: string; readonly note?: string; readonly cites?: readonly number[] }
  | {
      readonly status: "fail";
      readonly expected: string;
      readonly actual: string;
      readonly note?: string;
      readonly cites?: readonly number[];
    }
  | { readonly status: "skipped"; readonly because: string }
  | { readonly status: "blocked"; readonly because: string; readonly by?: string; readonly cites?: readonly number[] }
  | { readonly status: "error"; readonly because: string };

export type Status = Outcome["status"];

/** Where the evidence is: exchanges, or their numbers. */
export type Cited = readonly (Exchange | number | undefined)[];

/** Measured, and right. `saw` says what was measured; a note stands beside the row and changes no score. */
export const pass = (saw: string, note?: string, ...cited: Cited): Outcome => ({
  status: "pass",
  saw,
  ...(note === undefined ? {} : { note }),
  ...cites(cited),
});

/** Measured, and wrong. Both are noun phrases of one kind. */
export const fail = (expected: string, actual: string, ...cited: Cited): Outcome => ({
  status: "fail",
  expected,
  actual,
  ...cites(cited),
});

/** The requirement does not bind this server: nothing was measured. */
export const skipped = (because: string): Outcome => ({ status: "skipped", because });

/** It binds or may bind, and nothing that came back can be attributed to the server. */
export const blocked = (because: string, by?: string, ...cited: Cited): Outcome => ({
  status: "blocked",
  because,
  ...(by === undefined ? {} : { by }),
  ...cites(cited),
});

/** Thrown by a session when what came back can't be attributed to the server. The engine turns it into `blocked`. */
export class Blocked extends Error {
  override name = "Blocked";
  readonly by: string | undefined;
  readonly cited: Cited;
  constructor(because: string, by?: string, ...cited: Cited) {
    super(because);
    this.by = by;
    this.cited = cited;
  }
}

/** Thrown by a session when the general rules already decide against the server: silence, death, 5xx. */
export class Failed extends Error {
  override name = "Failed";
  readonly outcome: Outcome;
  /** Whether the server died of it: if others were in flight, each is asked again alone. */
  readonly death: boolean;
  constructor(outcome: Outcome, death = false) {
    super(outcome.status === "fail" ? `expected ${outcome.expected}, got ${outcome.actual}` : outcome.status);
    this.outcome = outcome;
    this.death = death;
  }
}

/** A complaint about one item: what was expected and what is there. */
export type Complaint = readonly [expected: string, actual: string] | undefined;

/**
 * Judges every item. No items: skipped. First complaint: fail, with the number of further ones.
 * This is why an empty list can never pass.
 */
export function each<T>(
  noun: string,
  items: readonly T[],
  complaint: (item: T, index: number) => Complaint,
  cited: Cited = [],
): Outcome {
  if (items.length === 0) return skipped(`there are no ${noun} to judge`);
  const found = items.map(complaint).filter((each) => each !== undefined);
  const first = found[0];
  if (first === undefined) return pass(`${items.length} ${noun}`, undefined, ...cited);
  const others = found.length > 1 ? ` (and ${found.length - 1} more of ${items.length} ${noun})` : "";
  return fail(first[0], `${first[1]}${others}`, ...cited);
}

/** The first outcome that isn't a pass, else the last; notes of passes are kept. */
export function worst(first: Outcome, ...rest: readonly Outcome[]): Outcome {
  const all = [first, ...rest];
  const order: readonly Status[] = ["error", "fail", "blocked", "pass", "skipped"];
  for (const status of order) {
    const found = all.filter((outcome) => outcome.status === status);
    const lead = found[0];
    if (lead === undefined) continue;
    if (lead.status !== "pass") return lead;
    const notes = found.flatMap((each) => (each.status === "pass" && each.note !== undefined ? [each.note] : []));
    return { ...lead, ...(notes.length > 0 ? { note: notes.join("; ") } : {}) };
  }
  return first;
}

// --- internal ---

function cites(cited: Cited): { readonly cites?: readonly number[] } {
  const numbers = cited.flatMap((each) => (each === undefined ? [] : [typeof each === "number" ? each : each.n]));
  return numbers.length > 0 ? { cites: numbers } : {};
}
