import type { Check } from "../model/check.ts";
import type { Kind } from "../model/exchange.ts";
import type { Report } from "../model/report.ts";
import { revisions } from "../revisions/index.ts";
import { faultsOf, type NamedFault } from "./faults.ts";
import { attempt, type Laboratory, type Trial } from "./trial.ts";

/** One trial of one fault, to be made. */
export interface Planned {
  /** Where it is made: which revision, and how servers are started. */
  readonly lab: Laboratory;
  readonly fault: NamedFault;
  readonly kind: Kind;
  /** Whether the whole catalog was run, or only the fault's own check. */
  readonly whole: boolean;
}

/** A trial, and what came of it. */
export interface Cell extends Planned {
  readonly caught: boolean;
  /** Checks that failed though the fault names neither them nor their own check. */
  readonly innocent: readonly string[];
  /** Why it was not caught, or what the innocent said. */
  readonly why: readonly string[];
  /** The same of a first trial that surprised, where this is the second. */
  readonly hurried?: readonly string[];
}

/** Checks whose faults reach every check of a stdio run. */
const FRAMING = /^(stdio-|lifecycle-(init|discover|jsonrpc|id-match|ping))/;

/**
 * How much of the matrix is made. quick: each fault once, in its oldest revision, on one transport, against its own
 * check. ci: each on every transport and revision of its check; over HTTP against the whole catalog of its oldest
 * revision; over stdio so for framing and process, and a tenth of the others. all: everything against everything.
 * stdio-framing reviews every line of a run, so it needs a whole one in every breadth.
 */
export const BREADTHS = ["quick", "ci", "all"] as const;
export type Breadth = (typeof BREADTHS)[number];

export interface Plan {
  readonly breadth: Breadth;
  /** Check ids or areas whose faults are tried; empty: all. */
  readonly only: readonly string[];
  readonly kinds: readonly Kind[];
  /** Whether the older revision is planned as well, so that a quick plan need not try its faults again. */
  readonly both?: boolean;
}

/** The trials that a plan asks for: each fault on each transport on which its check runs. */
export function plan(lab: Laboratory, { breadth, only, kinds, both = false }: Plan): readonly Planned[] {
  let turn = 0;
  const older = new Set(revisions["2025-11-25"].catalog.map((row) => row.id));
  const whole = (kind: Kind, { id, review }: Check): boolean => {
    const tenth = turn++ % 10 === 0;
    if (breadth === "all" || id === "stdio-framing") return true;
    // What a review judges, others have to say; the other breadths hold most of them against a whole run anyway.
    if (breadth === "quick") return review !== undefined;
    // A check that both revisions have is held against the whole older one; its faults are the same.
    const here = lab.revision.id === "2025-11-25" || !older.has(id);
    return here && (tenth || kind === "http" || FRAMING.test(id));
  };
  return faultsOf().flatMap((fault) => {
    const row = lab.revision.catalog.find((each) => each.id === fault.check.id);
    if (row === undefined || (fault.fault.only ?? lab.revision.id) !== lab.revision.id) return [];
    if (only.length > 0 && !only.includes(row.id) && !only.includes(row.area)) return [];
    const known = lab.revision.id !== "2025-11-25" && older.has(row.id) && fault.fault.only === undefined;
    if (breadth === "quick" && both && known) return [];
    const possible = kinds
      .filter((kind) => row.transports.includes(kind) && (fault.fault.on ?? kind) === kind)
      // A credential and a session id are things of HTTP.
      .filter((kind) => kind === "http" || fault.fault.world?.auth !== true);
    // Every fourth over stdio, where it can be.
    const [one] = turn % 4 === 0 ? possible.toReversed() : possible;
    const kept = breadth !== "quick" ? possible : one === undefined ? [] : [one];
    return kept.map((kind) => ({ lab, fault, kind, whole: whole(kind, fault.check) }));
  });
}

/**
 * Reviews of the shape of every message: whatever is malformed rightly trips them, so they are never counted among the
 * innocent. That they fail for no other cause is shown by the reference server in all its worlds.
 */
const ALL_JUDGING: ReadonlySet<string> = new Set(["schema-wire-valid", "schema-result-type"]);

/**
 * Makes a trial. One that surprises is made again with patience, and then counts: its short times can't tell a server
 * that is silent from a machine that stalls.
 */
export async function tryCell(cell: Planned): Promise<Cell> {
  const first = await once(cell, false);
  return isGood(first) ? first : { ...(await once(cell, true)), hurried: first.why };
}

/** Whether a trial came out as its fault says. */
export const isGood = ({ caught, innocent }: Pick<Cell, "caught" | "innocent">): boolean =>
  caught && innocent.length === 0;

async function once(cell: Planned, patient: boolean): Promise<Cell> {
  const { lab, fault, kind, whole } = cell;
  const trial: Trial = { kind, patient, faults: [fault], ...(whole ? {} : { only: [fault.check.id] }) };
  const report = await attempt(lab, trial);
  const failed = failedIn(report);
  const guilty = new Set([fault.check.id, ...(fault.fault.alsoFails ?? [])]);
  const own = report.verdicts.find((each) => each.row.id === fault.check.id)?.outcome;
  const innocent = [...failed.keys()].filter((id) => !guilty.has(id) && !ALL_JUDGING.has(id));
  const caught = failed.has(fault.check.id);
  return {
    ...cell,
    caught,
    innocent,
    why: [...(caught ? [] : [JSON.stringify(own)]), ...innocent.map((id) => `${id}: ${failed.get(id)}`)],
  };
}

/** A cell as plain data, for other processes and for people. */
export interface Tried {
  readonly revision: string;
  readonly fault: string;
  readonly name: string;
  readonly transport: Kind;
  readonly catalog: "whole" | "own check";
  readonly caught: boolean;
  readonly innocent: readonly string[];
  readonly why: readonly string[];
  readonly hurried?: readonly string[];
}

export const triedOf = ({ lab, fault, kind, whole, caught, innocent, why, hurried }: Cell): Tried => ({
  revision: lab.revision.id,
  fault: fault.id,
  name: fault.fault.name,
  transport: kind,
  catalog: whole ? "whole" : "own check",
  caught,
  innocent,
  why,
  ...(hurried === undefined ? {} : { hurried }),
});

/** Failures and tester errors by check id. */
export function failedIn(report: Report): ReadonlyMap<string, string> {
  const failed = new Map<string, string>();
  for (const { row, outcome } of report.verdicts) {
    if (outcome.status === "fail") failed.set(row.id, `expected ${outcome.expected}, got ${outcome.actual}`);
    if (outcome.status === "error") failed.set(row.id, `tester error: ${outcome.because}`);
  }
  return failed;
}
