import { afterAll, expect, test } from "bun:test";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Target } from "../engine/context.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { revisions } from "../revisions/index.ts";
import { type BenchmarkOptions, benchmark } from "./benchmark.ts";

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const measured = (target: Target, more: Partial<BenchmarkOptions> = {}) =>
  benchmark({
    target,
    revision: "auto",
    times: { request: 20_000, startup: 20_000, preflight: 20_000, quiet: 20, grace: 500 },
    requests: 20,
    concurrency: 3,
    clock: () => performance.now(),
    ...more,
  });
const http = (url: string): Target => ({ kind: "http", url: new URL(url), headers: [], tls: {} });
const stdio = (...args: readonly string[]): Target => ({
  kind: "stdio",
  command: { command: process.execPath, args, env: { PATH: process.env["PATH"] ?? "" }, platform: process.platform },
});
const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const small = fileURLToPath(new URL("../diagnose/small-server.fixture.ts", import.meta.url));

async function reference(world: Parameters<typeof createReference>[0] = {}) {
  const { url, close } = await listen(createReference(world, []), 0);
  closing.push(close);
  return http(url);
}
type Message = { readonly id?: unknown; readonly method: string };
/** A server of the older era over HTTP that answers pings as it is told, and tells how many came at once. */
async function pinged(answer: (n: number, message: Message, response: ServerResponse) => void) {
  let n = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (bytes) => {
      text += bytes;
    });
    request.on("end", () => {
      const message: Message = JSON.parse(text || "{}");
      const reply = (body: object) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body }));
      };
      if (message.method === "initialize") {
        reply({ result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } } });
      } else if (message.method === "ping") answer(++n, message, response);
      else if (message.id === undefined) response.writeHead(202).end();
      else reply({ error: { code: -32601, message: "unknown" } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return http(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

test("each revision's own question is asked, over both transports", async () => {
  const rows = [
    [await reference({ era: "modern" }), "2026-07-28", "server/discover"],
    [await reference(), "2025-11-25", "ping"],
    [stdio(main, "serve"), "2026-07-28", "server/discover"],
  ] as const;
  for (const [target, revision, method] of rows) {
    const found = await measured(target);
    expect(found).toMatchObject({
      revision,
      method,
      sent: 20,
      succeeded: 20,
      failures: [],
      heard: true,
      refused: false,
    });
    expect(found.perSecond).toBeGreaterThan(0);
    expect(found.latency?.min).toBeGreaterThan(0);
    expect(found.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(20);
  }
  const pinned = await measured(await reference({ era: "dual" }), { revision: revisions["2025-11-25"] });
  expect([pinned.method, pinned.succeeded]).toEqual(["ping", 20]);
}, 60_000);

test("error replies are failures, by reason", async () => {
  const target = await pinged((n, { id }, response) => {
    if (n % 4 === 1) return void response.writeHead(500).end("no");
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify(
        n % 4 === 2
          ? { jsonrpc: "2.0", id, error: { code: -32603, message: "busy" } }
          : { jsonrpc: "2.0", id, result: {} },
      ),
    );
  });
  const found = await measured(target, { concurrency: 1 });
  expect([found.sent, found.succeeded]).toEqual([20, 10]);
  expect(found.failures).toEqual([
    { reason: "HTTP 500 without a reply", count: 5 },
    { reason: "error -32603: busy", count: 5 },
  ]);
});

test("as many requests are under way at once as are asked for, and no more", async () => {
  let now = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const target = await pinged((_, { id }, response) => {
    most = Math.max(most, ++now);
    waiting.push(() => {
      now -= 1;
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
    });
    // Only when all places are taken does anybody get an answer.
    if (now === 4) for (const answer of waiting.splice(0)) answer();
  });
  expect((await measured(target, { concurrency: 4 })).succeeded).toBe(20);
  expect(most).toBe(4);
});

test("a server that falls silent or goes away isn't waited for a hundred times", async () => {
  const mute = await pinged(() => {});
  const times = { request: 50, startup: 5000, preflight: 5000, quiet: 20, grace: 300 };
  const found = await measured(mute, { requests: 1000, times });
  expect(found.sent).toBeLessThan(10);
  expect(found.failures).toEqual([{ reason: "no reply in time", count: found.sent }]);
  expect(found.warnings.at(-1)).toContain("were not sent: the server stopped answering");
  const gone = await measured(stdio(small, "one-shot"), { revision: revisions["2025-11-25"] });
  expect(gone.sent).toBeLessThan(20);
  expect(gone.warnings.at(-1)).toContain("went away");
}, 30_000);

test("a process that the question for its revision kills is started anew", async () => {
  const found = await measured(stdio(small, "dies-of-discover"));
  expect([found.revision, found.succeeded]).toEqual(["2025-11-25", 20]);
  expect(found.warnings.some((text) => text.includes("when it was asked server/discover"))).toBe(true);
}, 30_000);

test("methods and tools of one's own choice", async () => {
  const target = await reference();
  expect(await measured(target, { ask: { method: "tools/list" } })).toMatchObject({
    method: "tools/list",
    succeeded: 20,
  });
  expect(await measured(target, { ask: { method: "no/such" } })).toMatchObject({
    succeeded: 0,
    failures: [{ count: 20 }],
  });
  const tool = (name: string, more: object = {}) =>
    measured(target, { ask: { tool: name, destructive: false, ...more } });
  expect(await tool("add", { arguments: { a: 1, b: 2 } })).toMatchObject({
    method: "tools/call",
    tool: "add",
    succeeded: 20,
  });
  const echoed = await tool("echo");
  expect([echoed.succeeded, echoed.warnings.at(-1)]).toEqual([20, expect.stringContaining("invented")]);
  // A result that says that the tool failed is a failure.
  expect(await tool("add", { arguments: {} })).toMatchObject({ succeeded: 0 });
  await expect(tool("no-such-tool")).rejects.toThrow("lists no tool");
  await expect(tool("clear_notes")).rejects.toThrow("annotated as destructive");
  expect(await tool("clear_notes", { destructive: true })).toMatchObject({ succeeded: 20 });
});

test("what can't be opened is told apart", async () => {
  expect(await measured(http("http://127.0.0.1:1/mcp"))).toMatchObject({
    sent: 0,
    heard: false,
    refused: false,
    refusal: expect.stringContaining("can't be reached"),
  });
  expect(await measured(await reference({ locked: true }))).toMatchObject({ sent: 0, refused: true });
}, 30_000);
