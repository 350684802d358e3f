import { checks } from "../checks/index.ts";
import type { Target, Times } from "../engine/context.ts";
import { run } from "../engine/run.ts";
import type { Row } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import type { World } from "../model/fault.ts";
import type { Report } from "../model/report.ts";
import { TOKEN } from "../reference/auth.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import type { Revision } from "../revisions/revision.ts";
import type { NamedFault } from "./faults.ts";

/** What every trial of one process shares. */
export interface Laboratory {
  readonly revision: Revision;
  /** The command that serves the reference on stdio, without its options. */
  readonly self: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  readonly clock: () => number;
}

export interface Trial {
  readonly kind: Kind;
  readonly faults?: readonly NamedFault[];
  readonly world?: World;
  /** Default: the whole catalog. */
  readonly only?: readonly string[];
  readonly concurrency?: number;
  /** Waits as long as a run of a user does, so that a machine that stalls is no silent server. Default: false. */
  readonly patient?: boolean;
  readonly shuffle?: (rows: readonly Row[]) => readonly Row[];
}

/** Short, because the server under test is here and hundreds of faults are silences. */
const TIMES: Times = { request: 1500, startup: 20_000, preflight: 5000, quiet: 60, grace: 1500 };
const PATIENT: Times = { ...TIMES, request: 15_000, preflight: 15_000 };

/** Starts the reference server as the trial wants it, and judges it. */
export async function attempt(lab: Laboratory, trial: Trial): Promise<Report> {
  const faults = trial.faults ?? [];
  const era = lab.revision.id === "2026-07-28" ? "modern" : "legacy";
  const world: World = Object.assign({ era }, ...faults.map(({ fault }) => fault.world ?? {}), trial.world ?? {});
  if (trial.kind === "stdio") return judged(lab, trial, stdioTarget(lab, trial, world));
  const listening = await listen(
    createReference(
      world,
      faults.map(({ fault }) => fault),
    ),
    0,
  );
  try {
    const headers = world.auth === true ? ([["Authorization", `Bearer ${TOKEN}`]] as const) : [];
    return await judged(lab, trial, {
      kind: "http",
      url: seen(listening.url, world),
      headers,
      tls: world.host === undefined ? {} : { address: "127.0.0.1" },
      sse: world.sse === true,
    });
  } finally {
    await listening.close();
  }
}

// --- internal ---

/** The URL as the world wants it seen. */
function seen(text: string, { host }: World): URL {
  const url = new URL(text);
  if (host !== undefined) url.hostname = host;
  return url;
}

function stdioTarget({ self, env, platform }: Laboratory, { faults = [] }: Trial, world: World): Target {
  const [command, ...args] = self;
  const named = faults.flatMap(({ id }) => ["--fault", id]);
  const worlds = Object.entries(world).flatMap(([name, on]) => ["--world", on === true ? name : `${name}=${on}`]);
  return {
    kind: "stdio",
    command: { command, args: [...args, "serve", ...named, ...worlds], cwd: ".", env, platform },
  };
}

function judged(lab: Laboratory, trial: Trial, target: Target): Promise<Report> {
  let seed = 7;
  return run({
    revision: lab.revision,
    target,
    checks,
    filters: { only: trial.only ?? [], skip: [] },
    times: trial.patient === true ? PATIENT : TIMES,
    concurrency: trial.concurrency ?? 1,
    ...(trial.shuffle === undefined ? {} : { shuffle: trial.shuffle }),
    clock: lab.clock,
    date: () => new Date(0),
    // The same numbers in every trial, so that a finding can be found again.
    random(below) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    },
    tool: { name: "mcp-assay", version: "0", commit: "0" },
    environment: { runtime: "", os: "", arch: "" },
  });
}
