import type { Catalog, RevisionId, Row } from "./catalog.ts";
import type { Kind, Transcript } from "./exchange.ts";
import type { Outcome } from "./outcome.ts";

/** One row of the catalog and what became of it. A run yields exactly one per row it judges, in catalog order. */
export interface Verdict {
  readonly row: Row;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  /** The row's `required`, resolved against what the server declared. */
  readonly required: boolean;
  readonly outcome: Outcome;
  /** Numbers of the exchanges that show it, the decisive one first. */
  readonly evidence: readonly number[];
  readonly ms: number;
  /** How often it was asked, where that is more than once (--retries). A pass after a failure has a note that says so. */
  readonly attempts?: number;
}

/** A failure that the user accepts for now. */
export interface Accepted {
  readonly id: string;
  readonly reason: string;
  /** The last day that it holds, as YYYY-MM-DD. */
  readonly expires?: string;
}

/** What the file of expected failures says of this run. Rows that the run left out are in none of the lists. */
export interface Expected {
  /** As the user named it. */
  readonly file: string;
  /** Failed or blocked, as expected: they don't fail the run. */
  readonly accepted: readonly Accepted[];
  /** Entries to take out, which fail the run: what they accept passes now, or their time is over. */
  readonly stale: readonly (Accepted & { readonly because: "passes" | "expired" })[];
  /** Ids of rows that failed or are blocked without an entry: they fail the run. */
  readonly unexpected: readonly string[];
}

/** What the opening and the lists told about the server; null where unknown. */
export interface ServerFacts {
  readonly protocolVersion: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly capabilities: unknown;
  readonly tools: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly prompts: readonly string[] | null;
}

/** All that a run found out. Plain data; reporters turn it into text. */
export interface Report {
  readonly revision: RevisionId;
  /** How the revision was found, where it wasn't pinned. */
  readonly revisionNote?: string;
  readonly transport: Kind;
  /** The URL without user info, or `stdio:` and the command line. */
  readonly url: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly verdicts: readonly Verdict[];
  /** Rows of the revision that run on the other transport only. */
  readonly elsewhere: Catalog;
  readonly rows: number;
  readonly warnings: readonly string[];
  readonly server: ServerFacts;
  readonly transcript: Transcript;
  /** Whether any JSON-RPC message came from the target in the whole run. */
  readonly heard: boolean;
  /** Whether the target answered with nothing but 401, or 403 with an authorization challenge. */
  readonly refused: boolean;
  /** What is known of the target when it never spoke: exit status, stderr tail, HTTP status, error in words. */
  readonly trouble?: string;
  readonly stderrTail?: string;
  /** Where the user gave a file of expected failures. */
  readonly expected?: Expected;
  /** Why the run is not whole: interrupted. */
  readonly partial?: string;
  readonly tool: { readonly name: string; readonly version: string; readonly commit: string };
  readonly environment: { readonly runtime: string; readonly os: string; readonly arch: string };
  readonly ms: number;
}

/** Told of verdicts as they fall; `said` gives the transcript so far, which has their evidence. */
export type Progress = (verdict: Verdict, done: number, of: number, said: () => Transcript) => void;
