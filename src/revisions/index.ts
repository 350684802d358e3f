import type { RevisionId } from "../model/catalog.ts";
import { revision20251125 } from "./2025-11-25.ts";
import { revision20260728 } from "./2026-07-28.ts";
import type { Revision } from "./revision.ts";

/** The revisions that can be judged by, oldest first. */
export const revisions: Readonly<Record<RevisionId, Revision>> = {
  "2025-11-25": revision20251125,
  "2026-07-28": revision20260728,
};
