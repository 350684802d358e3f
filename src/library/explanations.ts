import { checks } from "../checks/index.ts";
import type { RevisionId } from "../model/catalog.ts";
import {
  type CheckExplained,
  explain,
  type ListExplained,
  listChecks,
  type Sources,
  type Unexplained,
} from "../report/explain.ts";
import { revisions } from "../revisions/index.ts";

/** What a check asks, why, and how to pass it; an area is listed. Without a revision both are looked through. */
export const explainTest = (id: string, specVersion?: RevisionId): CheckExplained | ListExplained | Unexplained =>
  explain(id, sources(), specVersion);

/** All checks of a revision, or of both, in the order of the areas. */
export const listTests = (specVersion?: RevisionId): ListExplained => listChecks(sources(), specVersion);

// --- internal ---

const sources = (): Sources => ({
  checks,
  catalogs: { "2025-11-25": revisions["2025-11-25"].catalog, "2026-07-28": revisions["2026-07-28"].catalog },
});
