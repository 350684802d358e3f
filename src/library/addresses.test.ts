import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { diagnoseServer, runComplianceSuite } from "../index.ts";

// Whoever gets here has been let through.
let trap: Server;
let port = 0;
let hits = 0;
beforeAll(async () => {
  trap = createServer((_request, response) => {
    hits++;
    response.end("{}");
  });
  await new Promise<void>((resolve) => trap.listen(0, resolve));
  ({ port } = trap.address() as AddressInfo);
});
afterAll(() => void trap.close());

const one = { specVersion: "2025-11-25", only: ["transport-post"], timeout: 3000 } as const;

/** What is asked, and what names resolve to: by turns, where more than one list is given. */
type Way = readonly [what: string, host: string, ...answers: readonly (readonly string[])[]];

const WAYS: readonly Way[] = [
  ["loopback", "127.0.0.1"],
  ["elsewhere in the loopback network", "127.13.37.1"],
  ["short", "127.1"],
  ["decimal", "2130706433"],
  ["octal", "0177.0.0.1"],
  ["hexadecimal", "0x7f.0.0.1"],
  ["hexadecimal in one", "0x7f000001"],
  ["percent-encoded", "%31%32%37.0.0.1"],
  ["full-width digits", "１２７.0.0.1"],
  ["circled digits", "①②⑦.⓪.⓪.①"],
  ["ideographic full stops", "127。0。0。1"],
  ["unspecified", "0.0.0.0"],
  ["zero", "0"],
  ["IPv6 loopback", "[::1]"],
  ["IPv6 loopback in full", "[0:0:0:0:0:0:0:1]"],
  ["IPv6 unspecified", "[::]"],
  ["IPv4-mapped", "[::ffff:127.0.0.1]"],
  ["IPv4-mapped in hexadecimal", "[::ffff:7f00:1]"],
  ["IPv4-compatible", "[::127.0.0.1]"],
  ["NAT64", "[64:ff9b::7f00:1]"],
  ["6to4", "[2002:7f00:1::]"],
  ["localhost", "localhost"],
  ["localhost with a dot", "localhost."],
  ["localhost in capitals", "LOCALHOST"],
  ["below localhost", "a.localhost", ["127.0.0.1"]],
  ["private, 10/8", "10.0.0.1"],
  ["private, 172.16/12", "172.31.0.1"],
  ["private, 192.168/16", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["unique local", "[fd00::1]"],
  ["link-local", "169.254.7.7"],
  ["IPv6 link-local", "[fe80::1]"],
  ["metadata", "169.254.169.254"],
  ["metadata, decimal", "2852039166"],
  ["metadata, IPv4-mapped", "[::ffff:a9fe:a9fe]"],
  ["metadata of AWS over IPv6", "[fd00:ec2::254]"],
  ["metadata by name", "metadata.google.internal", ["169.254.169.254"]],
  ["a public name of a loopback address", "localtest.example", ["127.0.0.1"]],
  ["a name with a public address beside", "mixed.example", ["93.184.216.34", "127.0.0.1"]],
  ["a name that gives IPv6", "six.example", ["::1"]],
  ["user info before the host", "public.example@127.0.0.1"],
];

test("no way leads to an address that isn't public", async () => {
  expect(WAYS.length).toBeGreaterThanOrEqual(25);
  const outcomes = await Promise.all(
    WAYS.map(async ([what, host, ...answers]) => {
      const turns = [...answers];
      const lookup = async () => (turns.length > 1 ? turns.shift() : turns[0]) ?? [];
      const report = await runComplianceSuite(`http://${host}:${port}/mcp`, {
        ...{ ...one, addresses: "public" as const },
        ...(answers.length === 0 ? {} : { lookup }),
      });
      return [what, report.overall, /may not be connected to|ENOTFOUND|EAI_AGAIN/.test(JSON.stringify(report))];
    }),
  );
  expect(outcomes).toEqual(WAYS.map(([what]) => [what, "fail", true]));
  expect(hits).toBe(0);
}, 60_000);

test("each connection asks anew, and goes where the check has looked: DNS that changes in between changes nothing", async () => {
  const turns = [["127.0.0.1"], ["169.254.169.254"]];
  let asked = 0;
  const began = hits;
  const report = await runComplianceSuite(`http://rebinding.example:${port}/mcp`, {
    ...{ ...one, addresses: "no-metadata" as const },
    async lookup() {
      asked++;
      return turns.length > 1 ? (turns.shift() ?? []) : (turns[0] ?? []);
    },
  });
  expect(asked).toBeGreaterThan(1);
  expect(hits).toBe(began + 1);
  expect(JSON.stringify(report)).toContain("rebinding.example (169.254.169.254) may not be connected to");
}, 30_000);

test("by default of a server for assistants only link-local addresses and metadata are out of reach", async () => {
  const began = hits;
  await runComplianceSuite(`http://127.0.0.1:${port}/mcp`, { ...one, addresses: "no-metadata" });
  expect(hits).toBeGreaterThan(began);
  for (const host of ["169.254.169.254", "[fe80::1]", "168.63.129.16", "metadata.example"]) {
    const report = await runComplianceSuite(`http://${host}:${port}/mcp`, {
      ...{ ...one, addresses: "no-metadata" as const },
      ...(host.endsWith("example") ? { lookup: async () => ["100.100.100.200"] } : {}),
    });
    expect(JSON.stringify(report)).toContain("may not be connected to");
  }
}, 30_000);

test("a redirect, a challenge and an endpoint that point elsewhere lead nowhere", async () => {
  let posts = 0;
  const lure = createServer((request, response) => {
    const trapped = `http://127.0.0.1:${port}/trap`;
    if (request.method === "GET") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`event: endpoint\ndata: ${trapped}\n\n`);
    } else if (posts++ % 2 === 0) response.writeHead(307, { Location: trapped }).end();
    else {
      const challenge = `Bearer resource_metadata="${trapped}"`;
      response.writeHead(401, { Location: trapped, "WWW-Authenticate": challenge }).end();
    }
  });
  await new Promise<void>((resolve) => lure.listen(0, "127.0.0.1", resolve));
  const { port: own } = lure.address() as AddressInfo;
  const began = hits;
  for (const sse of [false, true]) {
    const target = { type: "http", url: `http://127.0.0.1:${own}/mcp`, sse } as const;
    await runComplianceSuite(target, {
      specVersion: "2025-11-25",
      timeout: 500,
      startupTimeout: 500,
      only: ["security", "transport-post"],
    });
  }
  lure.close();
  expect(posts).toBeGreaterThan(2);
  expect(hits).toBe(began);
}, 60_000);

test("a diagnosis is bound by the policy as well, and asks nobody to whom a redirect points", async () => {
  const asked: string[] = [];
  const away = createServer((_request, response) => {
    response.writeHead(307, { Location: `http://metadata.example:${port}/mcp` }).end();
  });
  await new Promise<void>((resolve) => away.listen(0, "127.0.0.1", resolve));
  const { port: own } = away.address() as AddressInfo;
  const began = hits;
  const found = await diagnoseServer(`http://start.example:${own}/mcp`, {
    ...{ addresses: "no-metadata", timeout: 3000, startupTimeout: 3000 },
    async lookup(host) {
      asked.push(host);
      return host === "metadata.example" ? ["::ffff:169.254.169.254"] : ["127.0.0.1"];
    },
  });
  away.close();
  expect(found.ok).toBe(false);
  expect(asked).toContain("start.example");
  expect(hits).toBe(began);
}, 30_000);
