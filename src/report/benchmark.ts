import type { Benchmark, Latency } from "../model/benchmark.ts";
import { createPage, type Lines, type Page, type PageOptions, padded } from "./_page.ts";

/** A benchmark for people at a terminal. */
export function benchmarkToTerminal(result: Benchmark, options: PageOptions): string {
  const page = createPage(options);
  const { latency, failures, warnings, refusal, stderrTail } = result;
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  const lines = [
    page.bold(headline(result, page)),
    "",
    ...field("Target", result.target, page),
    ...field(
      "Revision",
      `${result.revision}${result.revisionNote === undefined ? "" : ` (${result.revisionNote})`}`,
      page,
    ),
    ...field("Asked", result.tool === undefined ? result.method : `${result.method}, ${result.tool}`, page),
    ...(refusal === undefined
      ? [
          ...field(
            "Requests",
            `${result.sent} of ${result.requests}, ${result.concurrency} at once, in ${seconds(result.ms)}`,
            page,
          ),
          ...field("Succeeded", String(result.succeeded), page),
          ...field("Failed", String(failed), page),
          ...field("Opening", `${shown(result.openingMs)}, in none of the other numbers`, page),
          ...(result.transport === "http"
            ? field("Connection", "one for each request; the time to make it is part of the request's", page)
            : []),
        ]
      : []),
    ...(latency === undefined ? [] : ["", page.bold("LATENCY OF WHAT SUCCEEDED"), "", ...table(latency)]),
    ...histogram(result, page),
    ...(failures.length === 0
      ? []
      : [
          "",
          page.bold("FAILURES"),
          "",
          ...failures.flatMap(({ reason, count }) =>
            page.paragraph(`  ${String(count).padStart(6)}  `, page.say(reason)),
          ),
        ]),
    ...page.tail(stderrTail ?? "", 20).flatMap((line) => page.paragraph("  | ", line)),
    ...(warnings.length === 0
      ? []
      : ["", page.bold("WARNINGS"), "", ...warnings.flatMap((text) => page.paragraph("  ! ", page.say(text)))]),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** A benchmark as one JSON document, by version 1. Times are milliseconds. */
export function benchmarkToJson(
  result: Benchmark,
  {
    redact,
    tool,
    exitCode,
  }: { readonly redact: (text: string) => string; readonly tool: string; readonly exitCode: number },
): string {
  const { latency, failures, histogram, refusal } = result;
  const document = {
    schemaVersion: "1",
    kind: "benchmark",
    toolVersion: tool,
    target: result.target,
    transport: result.transport,
    specVersion: result.revision,
    specVersionNote: result.revisionNote ?? null,
    method: result.method,
    tool: result.tool ?? null,
    exitCode,
    requests: result.requests,
    sent: result.sent,
    concurrency: result.concurrency,
    succeeded: result.succeeded,
    failed: failures.reduce((sum, { count }) => sum + count, 0),
    failures,
    durationMs: rounded(result.ms),
    openingMs: rounded(result.openingMs),
    requestsPerSecond: rounded(result.perSecond),
    latencyMs:
      latency === undefined
        ? null
        : Object.fromEntries(Object.entries(latency).map(([name, ms]) => [name, rounded(ms)])),
    histogram: histogram.map(({ from, to, count }) => ({ fromMs: rounded(from), toMs: rounded(to), count })),
    refusal: refusal ?? null,
    warnings: result.warnings,
  };
  return JSON.stringify(document, (_, value: unknown) => (typeof value === "string" ? redact(value) : value), 2);
}

// --- internal ---

const LABEL = 11;
const BAR = 40;

const field = (label: string, text: string, page: Page): Lines =>
  page.paragraph(`  ${page.dim(padded(label, LABEL))}`, page.say(text));

function headline({ refusal, perSecond, latency }: Benchmark, page: Page): string {
  if (refusal !== undefined) return page.red(page.say(`Nothing was measured: ${refusal}`));
  if (latency === undefined) return page.red("Nothing succeeded");
  return `${perSecond >= 100 ? Math.round(perSecond) : perSecond.toFixed(1)} requests/s, half of them within ${shown(latency.p50)}`;
}

const table = (latency: Latency): Lines =>
  Object.entries(latency).map(([name, ms]) => `  ${name.padEnd(6)}${shown(ms).padStart(12)}`);

function histogram({ histogram: buckets }: Benchmark, page: Page): Lines {
  if (buckets.length < 2) return [];
  const most = Math.max(...buckets.map(({ count }) => count));
  const bar = Math.max(10, Math.min(BAR, page.width - 40));
  return [
    "",
    page.bold("HOW MANY TOOK HOW LONG"),
    "",
    ...buckets.map(({ from, to, count }) => {
      const length = count === 0 ? 0 : Math.max(1, Math.round((count / most) * bar));
      return `  ${shown(from).padStart(10)} to ${shown(to).padStart(10)}  ${page.cyan(page.mark.full.repeat(length))}${length === 0 ? "" : " "}${count}`;
    }),
  ];
}

/** Milliseconds with about three figures. */
function shown(ms: number): string {
  if (ms >= 10_000) return seconds(ms);
  return `${ms >= 100 ? Math.round(ms) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms >= 100_000 ? 0 : 2)} s`;
const rounded = (number: number): number => Math.round(number * 1000) / 1000;
