import type { Bucket, Latency } from "../model/benchmark.ts";

/** What the times come to; undefined where there are none. */
export function latencyOf(times: readonly number[]): Latency | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? max;
  return {
    min,
    mean: sorted.reduce((sum, time) => sum + time, 0) / sorted.length,
    p50: rank(0.5),
    p90: rank(0.9),
    p95: rank(0.95),
    p99: rank(0.99),
    max,
  };
}

/** The times in at most `most` buckets: of equal width, or of equal ratio where they lie far apart. */
export function histogramOf(times: readonly number[], most = 10): readonly Bucket[] {
  const latency = latencyOf(times);
  if (latency === undefined) return [];
  const low = Math.max(latency.min, SMALLEST);
  const high = Math.max(latency.max, low);
  if (high - low < SMALLEST) return [{ from: latency.min, to: latency.max, count: times.length }];
  const wide = high / low > WIDE;
  const edge = (i: number): number =>
    i === 0 ? latency.min : wide ? low * (high / low) ** (i / most) : low + ((high - low) * i) / most;
  const counts = Array.from({ length: most }, () => 0);
  for (const time of times) {
    const share = wide ? Math.log(Math.max(time, low) / low) / Math.log(high / low) : (time - low) / (high - low);
    const index = Math.max(0, Math.min(most - 1, Math.floor(share * most)));
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, i) => ({ from: edge(i), to: i === most - 1 ? latency.max : edge(i + 1), count }));
}

// --- internal ---

/** Milliseconds below which clocks tell nothing. */
const SMALLEST = 0.001;
/** The ratio of longest to shortest from which equal widths would put all into one bucket. */
const WIDE = 8;
