import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { benchmark, trailing } from "./benchmark.ts";
import { assay, binary } from "./binary.fixture.ts";
import { split } from "./split.ts";

const small = fileURLToPath(new URL("../diagnose/small-server.fixture.ts", import.meta.url));
const server = (behaviour: string) => ["--", process.execPath, small, behaviour];

test("the documented line works: options behind the command are ours, and it is said", async () => {
  const { code, out, err } = await assay(["benchmark", "--json", "--", binary(), "serve", "-r", "30", "-c", "4"]);
  const document = JSON.parse(out);
  expect([code, document.requests, document.concurrency, document.succeeded]).toEqual([0, 30, 4, 30]);
  expect(document).toMatchObject({
    schemaVersion: "1",
    kind: "benchmark",
    method: "server/discover",
    failed: 0,
    exitCode: 0,
  });
  expect(Object.keys(document.latencyMs)).toEqual(["min", "mean", "p50", "p90", "p95", "p99", "max"]);
  expect(err).toContain("-r 30 -c 4 after the command are taken as options of benchmark");
}, 60_000);

test("for people: rates, percentiles, a histogram and failures; exit codes tell them apart", async () => {
  const fine = await assay(["benchmark", "-r", "40", "--spec-version", "2025-11-25", "--", binary(), "serve"]);
  expect(fine.code).toBe(0);
  for (const part of ["requests/s", "p99", "HOW MANY TOOK HOW LONG", "ping", "40 of 40"])
    expect(fine.out).toContain(part);
  expect(fine.err).toBe("");
  const errors = await assay(["benchmark", "-r", "5", "--method", "no/such", "--", binary(), "serve"]);
  expect([errors.code, errors.out]).toEqual([1, expect.stringContaining("error -32601")]);
  expect((await assay(["benchmark", "http://127.0.0.1:1/mcp"])).code).toBe(3);
  const mute = await assay(["benchmark", "--startup-timeout", "300", "--timeout", "300", ...server("mute")]);
  expect(mute.code).toBe(3);
}, 60_000);

test("mistakes are named", async () => {
  const rows = [
    [["--requests", "0"], "--requests"],
    [["--requests", "10000000"], "more than 1000000"],
    [["--method", "ping", "--tool", "x"], "both given"],
    [["--params", "{}"], "for --method"],
    [["--tool", "x", "--arguments", "[1]"], "is no JSON object"],
    [["--method", "tools/call"], "--tool NAME"],
  ] as const;
  for (const [args, message] of rows) {
    const { code, err } = await assay(["benchmark", ...args, "http://127.0.0.1:1/mcp"]);
    expect([args, code, err]).toEqual([args, 2, expect.stringContaining(message)]);
  }
}, 60_000);

test("only pairs at the very end are moved, and only if neither stands before --", () => {
  const of = (...args: string[]) => trailing(split(args, benchmark.options));
  expect(of("--", "node", "s.js", "-c", "2").split.words).toEqual(["node", "s.js"]);
  expect(of("--", "node", "s.js", "-r", "7", "--concurrency", "2").moved).toEqual(["-r", "7", "--concurrency", "2"]);
  for (const untouched of [
    ["--", "sh", "-c", "node s.js"],
    ["-r", "5", "--", "node", "s.js", "-c", "2"],
    ["--", "node", "s.js", "-c", "2", "--stdio"],
    ["--", "-c", "2"],
  ]) {
    expect(of(...untouched).moved).toEqual([]);
  }
});
