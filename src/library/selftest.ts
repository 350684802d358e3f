import { pool } from "../engine/pool.ts";
import { laboratory } from "../matrix/lab.ts";
import { plan, triedOf, tryCell } from "../matrix/matrix.ts";
import { REVISIONS, type RevisionId } from "../model/catalog.ts";
import { childEnv } from "../text/variables.ts";

/** Which faults are tried, and how. */
export interface SelftestOptions {
  /** Only the faults of these areas or check ids. */
  readonly only?: readonly string[];
  /** Only in this revision. Default: in both. */
  readonly specVersion?: RevisionId;
  /** quick (default): each fault once, against its own check; all: each against the whole catalog. */
  readonly breadth?: "quick" | "ci" | "all";
  readonly signal?: AbortSignal;
  readonly onTrial?: (trial: SelftestTrial) => void;
}

/** One fault, tried. */
export interface SelftestTrial {
  readonly revision: string;
  readonly fault: string;
  /** The defect; completes "a server that". */
  readonly name: string;
  readonly transport: "http" | "stdio";
  readonly catalog: "whole" | "own check";
  readonly caught: boolean;
  /** Checks that failed though the fault is none of theirs. */
  readonly innocent: readonly string[];
  readonly why: readonly string[];
}

/** What came of it. */
export interface SelftestResult {
  readonly faults: number;
  readonly caught: number;
  readonly missed: number;
  readonly trials: readonly SelftestTrial[];
}

/** Proves that the checks catch the faults they claim to catch, over HTTP; the command line tries stdio, too. */
export async function selftest(options: SelftestOptions = {}): Promise<SelftestResult> {
  const { only = [], specVersion, breadth = "quick", signal, onTrial } = options;
  const planned = (specVersion === undefined ? REVISIONS : [specVersion]).flatMap((revision) =>
    plan(laboratory([process.execPath], childEnv(process.env, {}), process.platform, revision), {
      ...{ breadth, only, kinds: ["http"], both: specVersion === undefined },
    }),
  );
  const trials: SelftestTrial[] = [];
  await pool(
    WIDTH,
    planned,
    () => signal?.aborted === true,
    async (each) => {
      const tried = triedOf(await tryCell(each));
      trials.push(tried);
      onTrial?.(tried);
    },
  );
  const good = ({ caught, innocent }: SelftestTrial) => caught && innocent.length === 0;
  const faults = new Set(trials.map(({ fault }) => fault)).size;
  const missed = new Set(trials.filter((each) => !good(each)).map(({ fault }) => fault)).size;
  return { faults, caught: faults - missed, missed, trials };
}

// --- internal ---

/** Trials at once: each waits more than it works. */
const WIDTH = 4;
