import * as v from "valibot";

export const AREAS = [
  "transport",
  "lifecycle",
  "tools",
  "resources",
  "prompts",
  "errors",
  "schema",
  "security",
] as const;
export type Area = (typeof AREAS)[number];

export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type RevisionId = (typeof REVISIONS)[number];

/** One row of a revision's catalog: what that revision says of a check. */
export const RowSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9]+(-[a-z0-9]+)+$/)),
  area: v.picklist(AREAS),
  transports: v.array(v.picklist(["http", "stdio"])),
  /** true, false, or required when the named capability is declared (dots go down). */
  required: v.union([v.boolean(), v.strictObject({ capability: v.string() })]),
  level: v.picklist(["MUST", "SHOULD", "MAY", "schema", "guide", "inferred", "heuristic"]),
  /** Absolute URL of the nearest text of the specification. */
  section: v.pipe(v.string(), v.url()),
  /** The requirement in our own words. */
  requirement: v.string(),
  /** What each outcome means here, in our own words: for readers, and never for a run. */
  verdicts: v.strictObject({ pass: v.string(), fail: v.string(), skipped: v.string() }),
  /** The first revision whose text has this rule; servers that negotiated an older one are skipped. */
  since: v.optional(v.picklist(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])),
  /** A row that only tells what it saw: always a pass, never a fault. */
  informational: v.optional(v.boolean()),
  /** What differs between revisions, for the check to read. */
  params: v.optional(v.record(v.string(), v.unknown())),
});
/** A row as it stands in a catalog, with its words for readers. */
export type DocumentedRow = v.InferOutput<typeof RowSchema>;
/** A row as far as a run needs it. */
export type Row = Omit<DocumentedRow, "verdicts"> & Partial<Pick<DocumentedRow, "verdicts">>;

export const CatalogSchema = v.array(RowSchema);
export type DocumentedCatalog = readonly DocumentedRow[];
export type Catalog = readonly Row[];

/** Whether a sentence or the schema of the specification backs the row; the others never claim a broken rule. */
export const isBacked = (row: Row): boolean => row.level !== "inferred" && row.level !== "heuristic";
