import type { RevisionId } from "../model/catalog.ts";
import { revisions } from "../revisions/index.ts";
import type { Laboratory } from "./trial.ts";

/** A laboratory whose stdio servers are started by the given command. */
export const laboratory = (
  self: Laboratory["self"],
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
  revision: RevisionId = "2025-11-25",
): Laboratory => ({ revision: revisions[revision], self, env, platform, clock: () => performance.now() });
