import { faultsOf } from "../matrix/faults.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { World } from "../model/fault.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";

/** What the server is to be. */
export interface ServeOptions {
  /** On loopback; 0, the default, is any free port. */
  readonly port?: number;
  /** The one revision to speak. Default: both. */
  readonly specVersion?: RevisionId;
  /** A bearer token to ask for. */
  readonly auth?: string;
  /** Ids of faults, such as `tools-call-unknown/1`: it is wrong in each of these ways. */
  readonly faults?: readonly string[];
}

/** The server, listening. */
export interface ReferenceServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A way in which the server can be wrong. */
export interface FaultDefinition {
  readonly id: string;
  /** The check that must catch it. */
  readonly check: string;
  /** The defect; completes "a server that". */
  readonly name: string;
}

/**
 * Starts the server that the checks are tested against, over HTTP: correct, or with chosen faults.
 * @throws TypeError for a fault that does not exist.
 */
export async function serveReference(options: ServeOptions = {}): Promise<ReferenceServer> {
  const { port = 0, specVersion, auth, faults = [] } = options;
  const chosen = faults.map((id) => {
    const found = faultsOf().find((each) => each.id === id);
    if (found === undefined) throw new TypeError(`there is no fault ${JSON.stringify(id)}: see listFaults()`);
    return found.fault;
  });
  const era = specVersion === undefined ? "dual" : specVersion === "2025-11-25" ? "legacy" : "modern";
  const world: World = Object.assign({ era }, ...chosen.map((fault) => fault.world ?? {}));
  return listen(createReference(world, chosen), port, auth);
}

/** All ways in which that server can be wrong. */
export const listFaults = (): readonly FaultDefinition[] =>
  faultsOf().map(({ id, check, fault }) => ({ id, check: check.id, name: fault.name }));
