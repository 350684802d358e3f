import type { RevisionId } from "./catalog.ts";
import type { Kind } from "./exchange.ts";

/** Milliseconds that a successful request took, over all of them. Percentiles are by nearest rank. */
export interface Latency {
  readonly min: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Requests that took from `from` (inclusive) to `to` milliseconds (exclusive; the last one's inclusive). */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** How fast a server answers one request, asked again and again. Plain data. */
export interface Benchmark {
  /** The URL without user info, or the command line. */
  readonly target: string;
  readonly transport: Kind;
  readonly revision: RevisionId;
  /** How the revision was found, where it wasn't pinned. */
  readonly revisionNote?: string;
  readonly method: string;
  readonly tool?: string;
  /** How many were to be sent, and how many were. */
  readonly requests: number;
  readonly sent: number;
  readonly concurrency: number;
  readonly succeeded: number;
  /** Reasons of failures, an error reply included, the most frequent first. */
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
  /** Milliseconds from the first request to the last answer. */
  readonly ms: number;
  /** Milliseconds until the session stood, which is in none of the other numbers. */
  readonly openingMs: number;
  /** Answers with a result per second; 0 where there were none. */
  readonly perSecond: number;
  readonly latency?: Latency;
  readonly histogram: readonly Bucket[];
  readonly warnings: readonly string[];
  /** Why nothing could be asked, if so. */
  readonly refusal?: string;
  readonly stderrTail?: string;
  readonly heard: boolean;
  readonly refused: boolean;
}
