import type { Kind } from "../model/exchange.ts";
import type { Report } from "../model/report.ts";
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
}

/** Areas of faults whose effects reach every check of a stdio run. */
const FRAMING = /^(stdio-|lifecycle-(init|jsonrpc|id-match|ping))/;

export interface Plan {
  /** Everything against everything, on both transports. */
  readonly all: boolean;
  /** Check ids or areas whose faults are tried; empty: all. */
  readonly only: readonly string[];
  readonly kinds: readonly Kind[];
}

/** The trials that a plan asks for: each fault on each transport on which its check runs. */
export function plan(lab: Laboratory, { all, only, kinds }: Plan): readonly Planned[] {
  let turn = 0;
  return faultsOf().flatMap((fault) => {
    const row = lab.revision.catalog.find((each) => each.id === fault.check.id);
    if (row === undefined || (fault.fault.only ?? lab.revision.id) !== lab.revision.id) return [];
    if (only.length > 0 && !only.includes(row.id) && !only.includes(row.area)) return [];
    return (
      kinds
        .filter((kind) => row.transports.includes(kind) && (fault.fault.on ?? kind) === kind)
        // A credential and a session id are things of HTTP.
        .filter((kind) => kind === "http" || fault.fault.world?.auth !== true)
        .map((kind) => ({
          lab,
          fault,
          kind,
          whole: all || kind === "http" || FRAMING.test(row.id) || turn++ % 10 === 0,
        }))
    );
  });
}

export async function tryCell(cell: Planned): Promise<Cell> {
  const { lab, fault, kind, whole } = cell;
  const trial: Trial = { kind, faults: [fault], ...(whole ? {} : { only: [fault.check.id] }) };
  const report = await attempt(lab, trial);
  const failed = failedIn(report);
  const guilty = new Set([fault.check.id, ...(fault.fault.alsoFails ?? [])]);
  const own = report.verdicts.find((each) => each.row.id === fault.check.id)?.outcome;
  const innocent = [...failed.keys()].filter((id) => !guilty.has(id));
  const caught = failed.has(fault.check.id);
  return {
    ...cell,
    caught,
    innocent,
    why: [...(caught ? [] : [JSON.stringify(own)]), ...innocent.map((id) => `${id}: ${failed.get(id)}`)],
  };
}

/** Failures and tester errors by check id. */
export function failedIn(report: Report): ReadonlyMap<string, string> {
  const failed = new Map<string, string>();
  for (const { row, outcome } of report.verdicts) {
    if (outcome.status === "fail") failed.set(row.id, `expected ${outcome.expected}, got ${outcome.actual}`);
    if (outcome.status === "error") failed.set(row.id, `tester error: ${outcome.because}`);
  }
  return failed;
}
