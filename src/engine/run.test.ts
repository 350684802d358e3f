import { expect, test } from "bun:test";
import { lists } from "../facts/lists.ts";
import { opening } from "../facts/opening.ts";
import type { Check } from "../model/check.ts";
import { defineCheck } from "../model/define.ts";
import { type Fault, fault, type World } from "../model/fault.ts";
import { type Outcome, pass } from "../model/outcome.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { revision20251125 } from "../revisions/2025-11-25.ts";
import { type RunOptions, run } from "./run.ts";

const some = fault("does nothing wrong", () => {});
const text = { title: "A title", why: "because", fix: "mend it" };
const listing = (id: string): Check =>
  defineCheck({
    id,
    ...text,
    effect: "shared",
    needs: { list: lists.tools },
    faults: [some],
    run: async () => pass("x"),
  });

/** Runs made-up checks against the reference server; each gets a row of its own. */
async function judge(
  checks: readonly Check[],
  more: Partial<RunOptions> & { world?: World; faults?: readonly Fault[] } = {},
) {
  const listening = await listen(createReference(more.world ?? {}, more.faults ?? []), 0);
  const rows = checks.map(({ id }) => ({
    id,
    area: "tools" as const,
    transports: ["http" as const],
    required: true,
    level: "MUST" as const,
    section: "https://example.com/",
    requirement: "A title",
  }));
  try {
    return await run({
      revision: { ...revision20251125, catalog: rows },
      target: { kind: "http", url: new URL(listening.url), headers: [], tls: {} },
      checks,
      filters: { only: [], skip: [] },
      times: { request: 300, startup: 5000, preflight: 1000, quiet: 20, grace: 300 },
      concurrency: 1,
      clock: () => performance.now(),
      date: () => new Date(0),
      random: (below) => Math.floor(below / 2),
      tool: { name: "mcp-assay", version: "0", commit: "0" },
      environment: { runtime: "", os: "", arch: "" },
      ...more,
    });
  } finally {
    await listening.close();
  }
}
const only = async (check: Check, more: Parameters<typeof judge>[1] = {}): Promise<Outcome | undefined> =>
  (await judge([check], more)).verdicts[0]?.outcome;

test("a fact is learned once for any number of checks", async () => {
  const { transcript, verdicts } = await judge([listing("a-1"), listing("a-2"), listing("a-3")], { concurrency: 3 });
  expect(verdicts.map(({ row, outcome }) => [row.id, outcome.status])).toEqual([
    ["a-1", "pass"],
    ["a-2", "pass"],
    ["a-3", "pass"],
  ]);
  const first = transcript.filter(({ request }) => request?.method === "tools/list" && request.params === undefined);
  expect(first.length).toBe(1);
});

test("a check that breaks its declaration is our error, not the server's failure", async () => {
  const bad = defineCheck({
    id: "a-1",
    ...text,
    effect: "shared",
    faults: [some],
    async run(_, server) {
      await server.request("logging/setLevel", { level: "debug" });
      return pass("x");
    },
  });
  expect(await only(bad)).toEqual({
    status: "error",
    because: "TypeError: declared shared, yet sends logging/setLevel: declare own or alone",
  });
});

test("a missing capability skips, and a broken list blocks and names its cause", async () => {
  expect(await only(listing("a-1"), { world: { bare: true } })).toEqual({
    status: "skipped",
    because: "the server does not declare tools",
  });
  const silent = fault("never answers tools/list", (server) =>
    server.reply((reply, { method }) => (method === "tools/list" ? undefined : reply)),
  );
  const outcome = await only(listing("a-1"), { faults: [silent] });
  expect(outcome).toMatchObject({ status: "blocked", by: "tools/list" });
  expect(JSON.stringify(outcome)).toContain("no reply within 300 ms while the control request was answered");
});

const asking = (id: string, method = "tools/list"): Check =>
  defineCheck({
    id,
    ...text,
    effect: "own",
    needs: { opening },
    faults: [some],
    async run(_, server) {
      await server.request(method);
      return pass("x");
    },
  });

test("silence fails while the control is answered, and blocks when it isn't", async () => {
  const deaf = fault("never answers tools/list", (server) =>
    server.reply((reply, { method }) => (method === "tools/list" ? undefined : reply)),
  );
  expect(await only(asking("a-1"), { faults: [deaf] })).toMatchObject({
    status: "fail",
    expected: "a reply to tools/list",
    actual: "no reply within 300 ms while the control request was answered",
  });
  expect(await only(asking("a-1"), { world: { mute: true } })).toMatchObject({
    status: "blocked",
    by: "the server stopped answering",
  });
});

const answering = (status: number, headers: [string, string][] = [], times = 99) => {
  let left = times;
  return fault(`answers tools/list with ${status}`, (server) =>
    server.http((plan, { body }) => (body.includes('"tools/list"') && left-- > 0 ? { status, headers } : plan)),
  );
};

test("401, 403 with a challenge and 429 say nothing of the server; one 429 is forgiven", async () => {
  expect(await only(asking("a-1"), { faults: [answering(401)] })).toMatchObject({
    status: "blocked",
    by: "authorization",
  });
  expect(await only(asking("a-1"), { faults: [answering(403, [["WWW-Authenticate", "Bearer"]])] })).toMatchObject({
    status: "blocked",
    by: "authorization",
  });
  expect(await only(asking("a-1"), { faults: [answering(429, [["Retry-After", "0"]])] })).toMatchObject({
    status: "blocked",
    by: "rate limit",
  });
  const limited = await judge([asking("a-1")], { faults: [answering(429, [["Retry-After", "0"]])] });
  expect(limited.warnings.join()).toContain("kept 1 check from being measured");
  const forgiven = await judge([asking("a-1")], { faults: [answering(429, [["Retry-After", "0"]], 1)] });
  expect(forgiven.verdicts[0]?.outcome.status).toBe("pass");
  expect(forgiven.warnings.join()).not.toContain("429");
});

test("another 403 is the server's own while its sibling is served; a 5xx always is", async () => {
  expect(await only(asking("a-1"), { faults: [answering(403)] })).toMatchObject({
    status: "fail",
    actual: "HTTP 403 with nothing",
  });
  const gateway = fault("forbids everything in a session", (server) =>
    server.http((plan, { body }) =>
      body.includes('"tools/list"') || body.includes('"ping"') ? { status: 403, headers: [] } : plan,
    ),
  );
  expect(await only(asking("a-1"), { faults: [gateway] })).toMatchObject({ status: "blocked", by: "forbidden" });
  expect(await only(asking("a-1"), { faults: [answering(502)] })).toMatchObject({ status: "fail", actual: "HTTP 502" });
});

test("what is alone runs alone, and verdicts keep catalog order", async () => {
  let now = 0;
  const seen: (readonly [string, number])[] = [];
  const make = (id: string, effect: "shared" | "alone"): Check =>
    defineCheck({
      id,
      ...text,
      effect,
      needs: { opening },
      faults: [some],
      async run(_, server) {
        const mine = ++now;
        await server.control();
        seen.push([id, Math.max(mine, now)]);
        now--;
        return pass("x");
      },
    });
  const checks = [
    make("a-1", "alone"),
    make("s-1", "shared"),
    make("a-2", "alone"),
    make("s-2", "shared"),
    make("s-3", "shared"),
  ];
  const { verdicts } = await judge(checks, { concurrency: 4 });
  expect(verdicts.map(({ row }) => row.id)).toEqual(["a-1", "s-1", "a-2", "s-2", "s-3"]);
  expect(seen.filter(([id]) => id.startsWith("a-")).map(([, width]) => width)).toEqual([1, 1]);
  expect(Math.max(...seen.map(([, width]) => width))).toBeGreaterThan(1);
});

test("an interrupted run is told, and the rest is not charged", async () => {
  const controller = new AbortController();
  const stop = defineCheck({
    id: "a-1",
    ...text,
    effect: "shared",
    faults: [some],
    async run() {
      controller.abort();
      return pass("x");
    },
  });
  const report = await judge([stop, listing("a-2")], { signal: controller.signal });
  expect(report.partial).toBe("interrupted");
  // What the first would have said is worth nothing: it may have been cut off.
  expect(report.verdicts.map(({ outcome }) => outcome.status)).toEqual(["skipped", "skipped"]);
});

test("values that match nothing warn, and skip wins over only", async () => {
  const filters = { only: ["a-1", "nonsense"], skip: ["a-1"] };
  const report = await judge([listing("a-1"), listing("a-2")], { filters });
  expect(report.verdicts).toEqual([]);
  expect(report.warnings).toEqual(["--only nonsense matches no area and no check of 2025-11-25"]);
});
