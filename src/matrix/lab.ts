import { revision20251125 } from "../revisions/2025-11-25.ts";
import type { Laboratory } from "./trial.ts";

/** A laboratory whose stdio servers are started by the given command. */
export const laboratory = (
  self: Laboratory["self"],
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Laboratory => ({ revision: revision20251125, self, env, platform, clock: () => performance.now() });
