import { checks } from "../checks/index.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import { type Fault, fault, type World } from "../model/fault.ts";
import type { Outcome } from "../model/outcome.ts";
import { laboratory } from "./lab.ts";
import { attempt } from "./trial.ts";

/** What one check finds over HTTP on the reference server bent in a way of one's own, which may be a legal one. */
export async function alone(
  id: string,
  bend: Fault["apply"] = () => {},
  world: World = {},
  revision: RevisionId = "2025-11-25",
): Promise<Outcome> {
  const check = checks.find((each) => each.id === id);
  if (check === undefined) throw new TypeError(`there is no check ${id}`);
  const kind: Kind = "http";
  const bent = { id: `${id}/bent`, check, fault: fault("is bent by a test", bend) };
  const report = await attempt(laboratory(COMMAND, {}, "linux", revision), { kind, faults: [bent], world, only: [id] });
  const outcome = report.verdicts.find(({ row }) => row.id === id)?.outcome;
  if (outcome === undefined) throw new TypeError(`${id} has no row over HTTP`);
  return outcome;
}

// --- internal ---

/** Over HTTP the reference server runs in this process, so no command is ever started. */
const COMMAND = [""] as const;
