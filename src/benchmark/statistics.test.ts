import { expect, test } from "bun:test";
import { histogramOf, latencyOf } from "./statistics.ts";

test("percentiles are by nearest rank, whatever the order", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);
  expect(latencyOf(hundred)).toEqual({ min: 1, mean: 50.5, p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
  expect(latencyOf([5])).toEqual({ min: 5, mean: 5, p50: 5, p90: 5, p95: 5, p99: 5, max: 5 });
  expect(latencyOf([])).toBeUndefined();
});

test("every time is in one bucket, and the buckets follow each other", () => {
  for (const times of [
    [1, 1, 1],
    [1, 2, 3, 4, 5],
    [0, 0, 1000],
    [0.5, 3, 90, 12_000],
    Array.from({ length: 500 }, (_, i) => 1 + (i % 50) / 10),
  ]) {
    const buckets = histogramOf(times);
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
    expect(buckets[0]?.from).toBe(Math.min(...times));
    expect(buckets.at(-1)?.to).toBe(Math.max(...times));
    for (let i = 1; i < buckets.length; i++) expect(buckets[i]?.from).toBe(buckets[i - 1]?.to ?? Number.NaN);
    for (const { from, to, count } of buckets) {
      // At the edges floating point may put a time on either side.
      const within = times.filter((time) => time > from + 1e-9 && time < to - 1e-9).length;
      expect(count).toBeGreaterThanOrEqual(within);
    }
  }
  expect(histogramOf([])).toEqual([]);
});

test("times far apart are told apart: buckets grow by a ratio", () => {
  const buckets = histogramOf([1, 1.5, 3, 6, 12, 24, 48, 96, 192, 384, 768, 1024]);
  expect(buckets.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
});
