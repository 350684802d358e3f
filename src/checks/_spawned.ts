import { afterAll } from "bun:test";
import { fileURLToPath } from "node:url";
import { laboratory } from "../matrix/lab.ts";
import { attempt } from "../matrix/trial.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { World } from "../model/fault.ts";
import type { Outcome } from "../model/outcome.ts";
import { killAll } from "../wire/children.ts";

/** What a check is tried on over stdio. */
export interface Spawned {
  readonly revision: RevisionId;
  /** The process runs this script; default: it is the reference server. */
  readonly script?: string;
  readonly world?: World;
}

/** What one check finds over stdio. */
export async function spawned(id: string, { revision, script, world = {} }: Spawned): Promise<Outcome | undefined> {
  const self = script === undefined ? ([process.execPath, main] as const) : ([process.execPath, "-e", script] as const);
  const lab = laboratory([...self], env, process.platform, revision);
  const { verdicts } = await attempt(lab, { kind: "stdio", world, only: [id] });
  return verdicts[0]?.outcome;
}

// --- internal ---

const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
const main = fileURLToPath(new URL("../main.ts", import.meta.url));

afterAll(() => killAll(process.platform));
