import type { Grade, Overall } from "../grade/grade.ts";
import type { Area, RevisionId, Row } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import type { Status } from "../model/outcome.ts";

/** The version of this contract. A member that goes, or changes its name or type, makes a new one. */
export const SCHEMA_VERSION = "1";

/**
 * The JSON report, as catalogs/report.v1.schema.json describes it to programs. Every text of the server is without
 * secrets and capped.
 */
export interface ReportDocument {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** The revision judged by, never `auto`. */
  readonly specVersion: RevisionId;
  readonly toolVersion: string;
  /** The URL without user info, or `stdio:` and the command line. */
  readonly url: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly grade: Grade;
  /** 0 to 100, one decimal. */
  readonly score: number;
  readonly overall: Overall;
  readonly summary: {
    /** The length of `tests`. */
    readonly total: number;
    /** Those with `passed: true`: skips and tester errors are among them. */
    readonly passed: number;
    readonly failed: number;
    /** Those with `required: true`, skips included. */
    readonly required: number;
    readonly requiredPassed: number;
    /** Those with `skipped: true`. */
    readonly skipped: number;
  };
  /** By area; only areas with tests. */
  readonly categories: { readonly [area: string]: CategoryDocument };
  /** One for each row that the run judged, in the order of the catalog. */
  readonly tests: readonly TestDocument[];
  /** What concerns the run as a whole: each once, at most 50, then a line that counts the rest. */
  readonly warnings: readonly string[];
  readonly serverInfo: {
    readonly protocolVersion: string | null;
    readonly name: string | null;
    readonly version: string | null;
    readonly capabilities: { readonly [name: string]: unknown } | null;
  };
  readonly toolCount: number;
  readonly toolNames: readonly string[];
  readonly resourceCount: number;
  /** Their names; the URI of one without a name. */
  readonly resourceNames: readonly string[];
  readonly promptCount: number;
  readonly promptNames: readonly string[];
  readonly coverage: {
    /** Rows of the whole catalog, both transports. */
    readonly rows: number;
    /** Rows that this run judged. */
    readonly run: number;
    /** Rows that measured something: pass, fail or blocked. */
    readonly measured: number;
  };
  readonly environment: {
    readonly tool: string;
    readonly commit: string;
    readonly runtime: string;
    readonly os: string;
    readonly arch: string;
    readonly transport: Kind;
  };
  /** Why the run is not whole. */
  readonly partial?: string;
  /** What is known of a target that never spoke, or made trouble. */
  readonly trouble?: string;
  /** The end of what the server's process wrote to stderr, where there was trouble. */
  readonly stderrTail?: string;
  /** Where the user gave a file of expected failures. */
  readonly expectedFailures?: {
    readonly file: string;
    readonly accepted: readonly AcceptedDocument[];
    /** Entries to take out: what they accept passes now, or their time is over. */
    readonly stale: readonly (AcceptedDocument & { readonly because: "passes" | "expired" })[];
    /** Tests that failed or are blocked without an entry. */
    readonly unexpected: readonly string[];
  };
}

export interface CategoryDocument {
  readonly passed: number;
  readonly total: number;
  readonly skipped: number;
}

/** One row of the catalog and what became of it. */
export interface TestDocument {
  /** Means something together with `specVersion` only. */
  readonly id: string;
  readonly name: string;
  readonly category: Area;
  /** Resolved against what the server declared. */
  readonly required: boolean;
  /** False for fail and blocked. */
  readonly passed: boolean;
  /** Whether nothing was measured: skipped, or the tester's own error. */
  readonly skipped: boolean;
  /** One line: begins with `Skipped:`, `Cannot be evaluated:` or `Tester error:` where it is one of these. */
  readonly details: string;
  readonly durationMs: number;
  /** The nearest text of the specification, as an absolute URL. */
  readonly specRef: string;
  readonly status: Status;
  /** What backs the row: a sentence, the schema, or only this catalog (inferred, heuristic). */
  readonly level: Row["level"];
  readonly note?: string;
  /** With `actual` and `fix`: of a failure. */
  readonly expected?: string;
  readonly actual?: string;
  readonly fix?: string;
  /** How often it was asked, where that is more than once. */
  readonly attempts?: number;
  /** The root cause of a blocked test, by the name of a fact or a test. */
  readonly blockedBy?: string;
  /** The exchanges that show a failed or blocked test, the decisive one first; of others none. */
  readonly evidence: readonly EvidenceDocument[];
}

/** One exchange, its texts cut after 2 KiB each. */
export interface EvidenceDocument {
  /** Its number, as in the transcript. */
  readonly exchange: number;
  readonly sent: string;
  /** What came: messages a line each, or the HTTP body. Empty where nothing did. */
  readonly received: string;
  readonly httpStatus?: number;
  /** Whether there was more than is here. */
  readonly truncated: boolean;
  /** A line for a POSIX shell that sends the same again; secrets stand as `$NAME`. */
  readonly repro?: string;
}

export interface AcceptedDocument {
  readonly id: string;
  readonly reason: string;
  /** The last day that it holds, as YYYY-MM-DD. */
  readonly expires?: string;
}
