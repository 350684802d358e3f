import { tool } from "../about.ts";
import { benchmark, Unbenchable } from "../benchmark/benchmark.ts";
import type { Benchmark, Latency } from "../model/benchmark.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import { benchmarkToJson } from "../report/benchmark.ts";
import { revisions } from "../revisions/index.ts";
import { createRedactor } from "../text/redact.ts";
import { gateOf } from "./addresses.ts";
import { type CommonOptions, endChildrenAtExit, timesOf, whole } from "./options.ts";
import { reach } from "./reach.ts";
import type { ServerTarget } from "./target.ts";

/** What is measured. Without `method` and `tool`: ping, or server/discover in 2026-07-28. */
export interface BenchmarkOptions extends CommonOptions {
  readonly specVersion?: "auto" | RevisionId;
  /** Default 100. */
  readonly requests?: number;
  /** Requests under way at once. Default 1. */
  readonly concurrency?: number;
  readonly method?: string;
  /** Of `method`. */
  readonly params?: JsonObject;
  /** Called in place of `method`. */
  readonly tool?: string;
  /** Of `tool`. Default: what its schema requires, made up. */
  readonly arguments?: JsonObject;
  /** Call the tool although it is annotated as destructive. */
  readonly allowDestructive?: boolean;
}

/** How fast a server answers: what `mcp-assay benchmark --json` prints. Times are in milliseconds. */
export interface BenchmarkDocument {
  readonly schemaVersion: "1";
  readonly kind: "benchmark";
  readonly toolVersion: string;
  readonly target: string;
  readonly transport: "http" | "stdio";
  readonly specVersion: RevisionId;
  readonly specVersionNote: string | null;
  readonly method: string;
  readonly tool: string | null;
  /** What the command line would end with. */
  readonly exitCode: number;
  readonly requests: number;
  readonly sent: number;
  readonly concurrency: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
  readonly durationMs: number;
  readonly openingMs: number;
  readonly requestsPerSecond: number;
  /** Of the requests that succeeded; null where none did. */
  readonly latencyMs: Latency | null;
  readonly histogram: readonly { readonly fromMs: number; readonly toMs: number; readonly count: number }[];
  /** Why nothing could be asked. */
  readonly refusal: string | null;
  readonly warnings: readonly string[];
}

/**
 * Sends one request again and again on one session.
 * @throws TypeError for a wrong argument, a tool that the server doesn't have, or one that is destructive without leave.
 */
export async function benchmarkServer(
  server: ServerTarget,
  options: BenchmarkOptions = {},
): Promise<BenchmarkDocument> {
  const { signal, specVersion = "auto", method, params, tool: name, allowDestructive = false } = options;
  if (method !== undefined && name !== undefined)
    throw new TypeError("method and tool are both given: one is measured");
  if (specVersion !== "auto" && !Object.hasOwn(revisions, specVersion)) {
    throw new TypeError(
      `specVersion ${JSON.stringify(specVersion)} is none of auto, ${Object.keys(revisions).join(", ")}`,
    );
  }
  const { target, secrets } = reach(server, options, gateOf(options.addresses ?? "any", options.lookup));
  const redact = createRedactor(secrets);
  endChildrenAtExit();
  const called = options.arguments === undefined ? {} : { arguments: options.arguments };
  try {
    const result = await benchmark({
      ...{ target, times: timesOf(options), clock: () => performance.now() },
      revision: specVersion === "auto" ? "auto" : revisions[specVersion],
      requests: whole(options.requests, "requests", 100, 1),
      concurrency: whole(options.concurrency, "concurrency", 1, 1),
      ...(method === undefined ? {} : { ask: { method, ...(params === undefined ? {} : { params }) } }),
      ...(name === undefined ? {} : { ask: { tool: name, destructive: allowDestructive, ...called } }),
      ...(signal === undefined ? {} : { signal }),
    });
    return JSON.parse(benchmarkToJson(result, { redact, tool: tool.version, exitCode: exitCodeOf(result) }));
  } catch (error) {
    if (error instanceof Unbenchable) throw new TypeError(redact(error.message));
    throw error;
  }
}

// --- internal ---

function exitCodeOf({ refused, heard, failures, sent, requests }: Benchmark): number {
  if (refused) return 4;
  if (!heard) return 3;
  return failures.length > 0 || sent < requests ? 1 : 0;
}
