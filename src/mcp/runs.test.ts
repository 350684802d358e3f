import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { binary } from "../cli/binary.fixture.ts";
import { runComplianceSuite, serveReference } from "../index.ts";
import { stubborn } from "../library/stubborn.fixture.ts";
import { type Listening, serveOnHttp } from "./http.ts";
import { createPlaces } from "./places.ts";
import { createServer as createMcp } from "./server.ts";
import type { McpSettings } from "./settings.ts";

const closing: { close(): unknown }[] = [];
afterAll(async () => {
  for (const each of closing) await each.close();
});

type Client2 = InstanceType<typeof Client>;

async function connected(settings: McpSettings): Promise<Client2> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  const server = createMcp(settings, createPlaces(1));
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  closing.push(client);
  return client;
}

async function overHttp(era: "2025-11-25" | "2026-07-28", settings: McpSettings): Promise<Client2> {
  const own: Listening = await serveOnHttp(settings, 0);
  const client = new Client(
    { name: "test", version: "1" },
    era === "2025-11-25" ? {} : { versionNegotiation: { mode: { pin: era } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(own.url)));
  closing.push(client, own);
  return client;
}

/** A server that never answers, and tells when somebody has come and when all have gone. */
async function silent() {
  let open = 0;
  let come: () => void = () => {};
  let left: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    come = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer(() => come());
  server.on("connection", (socket) => {
    open++;
    socket.on("close", () => {
      if (--open === 0) left();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, arrived, gone };
}

const anywhere: McpSettings = { addresses: "no-metadata", commands: [] };
// Longer than these tests may take: nothing here ends by running out of time.
const call = (args: object) => ({ name: "mcp_compliance_test", arguments: { timeout: 120_000, ...args } });

test("progress is told while a test runs", async () => {
  const reference = await serveReference();
  closing.push(reference);
  for (const client of [
    await connected(anywhere),
    await overHttp("2025-11-25", anywhere),
    await overHttp("2026-07-28", anywhere),
  ]) {
    const told: number[] = [];
    await client.callTool(call({ url: reference.url, only: ["tools"], specVersion: "2025-11-25" }), {
      onprogress: ({ progress }) => told.push(progress),
    });
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.length).toBe(4);
  }
}, 30_000);

for (const era of ["2025-11-25", "2026-07-28"] as const) {
  test(`a cancelled call over HTTP in ${era} ends its connections at once`, async () => {
    const client = await overHttp(era, anywhere);
    const { url, arrived, gone } = await silent();
    const controller = new AbortController();
    const result = client.callTool(call({ url }), { signal: controller.signal }).catch((error: unknown) => error);
    await arrived;
    controller.abort();
    await gone;
    expect(await result).toBeInstanceOf(Error);
  }, 30_000);
}

test("a cancelled call ends the process that it has started at once", async () => {
  const { code, born, close } = await stubborn();
  closing.push({ close });
  const line = "the slow one";
  const client = await connected({ addresses: "public", commands: [{ line, words: [process.execPath, "-e", code] }] });
  const controller = new AbortController();
  const result = client
    .callTool(call({ command: line }), { signal: controller.signal })
    .catch((error: unknown) => error);
  const pid = await born;
  // No second run while the only place is taken.
  const second = await client.callTool(call({ command: line }));
  expect(JSON.stringify(second)).toContain("wait for one of them to end");
  controller.abort();
  for (let alive = true; alive; ) {
    try {
      process.kill(pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
    } catch {
      alive = false;
    }
  }
  await result;
}, 30_000);

test("commands are started only as they were allowed, and addresses only as the policy has it", async () => {
  const allowed = await connected({ addresses: "public", commands: [{ line: "node a.js", words: ["node", "a.js"] }] });
  const none = await connected(anywhere);
  const refusals: readonly (readonly [Client2, object])[] = [
    [none, { command: "node a.js" }],
    [none, {}],
    [allowed, { command: "node a.js --inspect" }],
    [allowed, { command: "node  a.js" }],
    [allowed, { command: "node a.js", url: "http://127.0.0.1/" }],
    [allowed, { url: "http://127.0.0.1:1/mcp" }],
    [allowed, { url: "http://localhost:1/mcp" }],
    [allowed, { url: "http://[::ffff:10.0.0.1]/mcp" }],
    [none, { url: "http://169.254.169.254/latest/meta-data/" }],
    [none, { url: "http://[fe80::1]/mcp" }],
    [none, { url: "file:///etc/passwd" }],
    [none, { url: "http://127.0.0.1:1/", headers: { "a\nb": "c" } }],
  ];
  for (const [client, args] of refusals) {
    const result = await client.callTool(call(args)).catch((error: unknown) => ({ isError: true, error }));
    expect({ args, isError: result.isError }).toEqual({ args, isError: true });
  }
  const { tools } = await none.listTools();
  expect(JSON.stringify(tools[0]?.inputSchema)).not.toContain("command");
}, 30_000);

for (const revision of ["2025-11-25", "2026-07-28"] as const) {
  // Fetching what the caller names is what it is for, and it says so; --public-only fetches nothing of ours at all.
  const settings: McpSettings = { addresses: "no-metadata", commands: [] };
  for (const transport of ["http", "stdio"] as const) {
    test(`our own server has grade A with 100 in ${revision} over ${transport}`, async () => {
      const own = transport === "http" ? await serveOnHttp(settings, 0) : undefined;
      if (own !== undefined) closing.push(own);
      const report = await runComplianceSuite(
        own?.url ?? {
          ...{ type: "stdio", command: binary(), args: ["mcp", "--public-only"] },
        },
        { specVersion: revision, concurrency: 4 },
      );
      expect(report.tests.filter(({ passed }) => !passed)).toEqual([]);
      expect({ grade: report.grade, score: report.score }).toEqual({ grade: "A", score: 100 });
    }, 120_000);
  }
}
