import { expect, test } from "bun:test";
import { lists } from "../facts/lists.ts";
import type { Check } from "../model/check.ts";
import { defineCheck } from "../model/define.ts";
import { type Fault, fault } from "../model/fault.ts";
import { fail, pass } from "../model/outcome.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { revision20251125 } from "../revisions/2025-11-25.ts";
import { run } from "./run.ts";

const faults = [fault("does nothing wrong", () => {})] as const;
const common = { title: "A title", why: "because", fix: "mend it", faults };

/** The first `times` requests for a list of tools get a 502. */
const flakyList = (times: number): Fault => {
  let left = times;
  return fault(`answers tools/list with 502 ${times} times`, (server) =>
    server.http((plan, { body }) =>
      body.includes('"tools/list"') && left-- > 0 ? { status: 502, headers: [] } : plan,
    ),
  );
};
const asking = defineCheck({
  id: "asking-once",
  ...common,
  effect: "own",
  async run(_, server) {
    await server.request("tools/list");
    return pass("a list");
  },
});
const listing = defineCheck({
  id: "needs-list",
  ...common,
  effect: "shared",
  needs: { list: lists.tools },
  run: async ({ list }) => pass(`${list.items.length} tools`, "a note of its own"),
});

async function judge(checks: readonly Check[], faults: readonly Fault[], retries: number) {
  const listening = await listen(createReference({}, faults), 0);
  const told: string[] = [];
  const catalog = checks.map(({ id }) => ({
    id,
    area: "tools" as const,
    transports: ["http" as const],
    required: { capability: "tools" },
    level: "MUST" as const,
    section: "https://example.com/",
    requirement: "A title",
  }));
  try {
    const report = await run({
      revision: { ...revision20251125, catalog },
      target: { kind: "http", url: new URL(listening.url), headers: [], tls: {} },
      checks,
      filters: { only: [], skip: [] },
      times: { request: 2000, startup: 5000, preflight: 1000, quiet: 20, grace: 300 },
      concurrency: 1,
      retries,
      progress: ({ row, outcome }) => told.push(`${row.id} ${outcome.status}`),
      clock: () => performance.now(),
      date: () => new Date(0),
      random: (below) => Math.floor(below / 2),
      tool: { name: "mcp-assay", version: "0", commit: "0" },
      environment: { runtime: "", os: "", arch: "" },
    });
    return { report, told };
  } finally {
    await listening.close();
  }
}

test("what failed is asked again, and a pass then says that it is flaky", async () => {
  const { report, told } = await judge([asking], [flakyList(1)], 2);
  expect(told).toEqual(["asking-once pass"]);
  const [verdict] = report.verdicts;
  expect([verdict?.attempts, verdict?.required]).toEqual([2, true]);
  expect(verdict?.outcome).toMatchObject({
    status: "pass",
    note: "flaky: it passed at attempt 2; the attempt before it: expected an answer to tools/list that is no server error, got HTTP 502",
  });
});

test("a check that was blocked by a fact learns it anew", async () => {
  const { report } = await judge([listing], [flakyList(1)], 1);
  expect(report.verdicts[0]?.attempts).toBe(2);
  expect(report.verdicts[0]?.outcome).toMatchObject({ status: "pass" });
  expect(JSON.stringify(report.verdicts[0]?.outcome)).toContain("a note of its own; flaky: it passed at attempt 2");
});

test("the last outcome counts, and no more is tried than asked for", async () => {
  const { report } = await judge([asking, listing], [flakyList(99)], 2);
  expect(report.verdicts.map(({ outcome, attempts }) => [outcome.status, attempts])).toEqual([
    ["fail", 3],
    ["blocked", 3],
  ]);
  const once = await judge([asking], [flakyList(99)], 0);
  expect(once.report.verdicts[0]).not.toHaveProperty("attempts");
});

test("what passed isn't asked again, nor what only a review judges", async () => {
  let runs = 0;
  let reviews = 0;
  const calm = defineCheck({
    id: "calm-check",
    ...common,
    effect: "shared",
    async run() {
      runs++;
      return pass("x");
    },
  });
  const reviewed: Check = {
    ...calm,
    id: "review-only",
    run: undefined,
    review: () => {
      reviews++;
      return fail("a", "b");
    },
  } as unknown as Check;
  const { report } = await judge([calm, reviewed, asking], [flakyList(1)], 3);
  expect(report.verdicts.map(({ outcome }) => outcome.status)).toEqual(["pass", "fail", "pass"]);
  expect([runs, reviews]).toEqual([1, 1]);
});
