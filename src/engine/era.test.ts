import { afterAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { checks } from "../checks/index.ts";
import type { Header } from "../model/exchange.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { revisions } from "../revisions/index.ts";
import type { Target } from "./context.ts";
import { type RunOptions, run } from "./run.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const gateways: Server[] = [];
afterAll(() => {
  for (const gateway of gateways) gateway.close();
});

/** A gateway that gives every request this answer. */
async function gateway(status: number, headers: Record<string, string> = {}, body = ""): Promise<URL> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  gateways.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

const judge = (target: Target, more: Partial<RunOptions> = {}) =>
  run({
    revision: "auto",
    target,
    checks,
    filters: { only: ["tools-list"], skip: [] },
    times: { request: 300, startup: 8000, preflight: 300, quiet: 20, grace: 500 },
    concurrency: 1,
    clock: () => performance.now(),
    date: () => new Date(0),
    random: (below) => Math.floor(below / 2),
    tool: { name: "mcp-assay", version: "0", commit: "0" },
    environment: { runtime: "", os: "", arch: "" },
    ...more,
  });
const at = (url: URL, headers: readonly Header[] = []): Target => ({ kind: "http", url, headers, tls: {} });
const token: Header = ["Authorization", "Bearer x"];

test("a 401 or a 403 tells no era, and its warning comes first and says what to look at", async () => {
  const bearer = { "www-authenticate": 'Bearer error="invalid_token"' };
  const cases: readonly [
    status: number,
    headers: Record<string, string>,
    given: readonly Header[],
    note: string,
    warning: string,
  ][] = [
    [401, {}, [], "authentication required -- pass --auth", "Run it again with --auth"],
    [403, { "www-authenticate": "Bearer" }, [], "authentication required -- pass --auth", "Run it again with --auth"],
    [401, bearer, [token], "credential rejected -- check --auth", "invalid_token: it is invalid or has expired"],
    [
      403,
      { "www-authenticate": 'Bearer error="insufficient_scope"' },
      [token],
      "credential rejected -- check --auth",
      "it lacks a scope",
    ],
    [
      403,
      {},
      [],
      "forbidden -- Host/Origin validation, a gateway, or missing credentials",
      "Look at Host and Origin validation",
    ],
    [
      403,
      {},
      [token],
      "forbidden -- Host/Origin validation, a gateway, or token permissions",
      "or the token's permissions",
    ],
  ];
  for (const [status, headers, given, note, warning] of cases) {
    const report = await judge(at(await gateway(status, headers), given));
    expect([report.revision, report.revisionNote]).toEqual([
      "2025-11-25",
      `auto-detected from server/discover: ${note}`,
    ]);
    expect(report.warnings[0]).toContain(warning);
    expect(report.verdicts[0]?.outcome.status).toBe("blocked");
  }
});

test("a web page, a 5xx, a 429 and a plain error are legacy, and the report says which", async () => {
  const error = JSON.stringify({ jsonrpc: "2.0", id: "era-1", error: { code: -32001, message: "no session" } });
  const cases: readonly [URL, string][] = [
    [await gateway(200, { "content-type": "text/html" }, "<p>"), "HTTP 200 with a web page, legacy"],
    [await gateway(503), "HTTP 503, legacy"],
    [await gateway(429, { "retry-after": "0" }), "HTTP 429, legacy"],
    [await gateway(400, { "content-type": "application/json" }, error), "JSON-RPC error -32001, legacy"],
  ];
  for (const [url, note] of cases) {
    const { revision, revisionNote } = await judge(at(url));
    expect([revision, revisionNote]).toEqual(["2025-11-25", `auto-detected from server/discover: ${note}`]);
  }
});

test("a DiscoverResult without 2026-07-28 is that of a legacy server that knows the question", async () => {
  const result = { resultType: "complete", supportedVersions: ["2025-11-25", "2025-06-18"], capabilities: {} };
  const body = JSON.stringify({ jsonrpc: "2.0", id: "era-1", result });
  const { revision } = await judge(at(await gateway(200, { "content-type": "application/json" }, body)));
  expect(revision).toBe("2025-11-25");
});

test("a modern error code means the modern era, whatever else it says", async () => {
  for (const code of [-32020, -32021, -32022]) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message: "no" } });
    const { revision } = await judge(at(await gateway(400, { "content-type": "application/json" }, body)));
    expect([code, revision]).toEqual([code, "2026-07-28"]);
  }
});

test("a dual-era server is graded as the newer, and told of its other side; pinned runs are told, too", async () => {
  const { url, close } = await listen(createReference({ era: "dual" }, []), 0);
  const auto = await judge(at(new URL(url)));
  expect([auto.revision, auto.verdicts[0]?.outcome.status]).toEqual(["2026-07-28", "pass"]);
  expect(auto.warnings.join("\n")).toContain("--spec-version 2025-11-25 grades its other side");
  const pinned = await judge(at(new URL(url)), { revision: revisions["2025-11-25"] });
  expect([pinned.revision, pinned.verdicts[0]?.outcome.status]).toEqual(["2025-11-25", "pass"]);
  expect(pinned.warnings.join("\n")).toContain("this run grades its 2025-11-25 side");
  await close();
});

test("a run pinned to the era that the server is not of says so, unless nothing tells the era", async () => {
  const modern = await listen(createReference({ era: "modern" }, []), 0);
  const legacy = await listen(createReference({ era: "legacy" }, []), 0);
  const asOld = await judge(at(new URL(modern.url)), { revision: revisions["2025-11-25"] });
  expect(asOld.warnings.join("\n")).toContain("Run it again with --spec-version 2026-07-28 (or auto)");
  const asNew = await judge(at(new URL(legacy.url)), { revision: revisions["2026-07-28"] });
  expect(asNew.warnings.join("\n")).toContain("Run it again with --spec-version 2025-11-25 (or auto)");
  const broken = await judge(at(await gateway(502)), { revision: revisions["2026-07-28"] });
  expect(broken.warnings.filter((warning) => warning.includes("Run it again"))).toEqual([]);
  await modern.close();
  await legacy.close();
});

const child = (args: readonly string[]): Target => ({
  kind: "stdio",
  command: { command: process.execPath, args, env: { PATH: process.env["PATH"] ?? "" }, platform: process.platform },
});
const quick = { request: 2000, startup: 8000, preflight: 300, quiet: 20, grace: 500 };

test("over stdio the process that was asked goes on to be graded", async () => {
  const report = await judge(child([main, "serve", "--spec-version", "2025-11-25"]), { times: quick });
  expect([report.revision, report.verdicts[0]?.outcome.status]).toEqual(["2025-11-25", "pass"]);
  expect(new Set(report.transcript.map(({ session }) => session)).size).toBe(1);
});

test("a server that the question kills is started anew and graded; one that dies anyway is told apart", async () => {
  const script = `let b="";process.stdin.on("data",d=>{b+=d;let i;while((i=b.indexOf("\\n"))>=0){const m=JSON.parse(b.slice(0,i));b=b.slice(i+1);if(m.method==="server/discover"){console.error("unknown!");process.exit(3)}if(m.id!==undefined)process.stdout.write(JSON.stringify({jsonrpc:"2.0",id:m.id,result:m.method==="initialize"?{protocolVersion:"2025-11-25",capabilities:{tools:{}},serverInfo:{name:"a",version:"1"}}:{tools:[]}})+"\\n")}});process.stdin.on("end",()=>process.exit(0));`;
  const killed = await judge(child(["-e", script]), { times: quick });
  expect([killed.revision, killed.verdicts[0]?.outcome.status]).toEqual(["2025-11-25", "pass"]);
  expect(killed.warnings.join("\n")).toContain(
    "exited with code 3 when it was asked server/discover; a fresh one is graded",
  );
  expect(killed.warnings.join("\n")).toContain("unknown!");
  const stillborn = await judge(child(["-e", "process.exit(5)"]), { times: quick });
  expect(stillborn.warnings.join("\n")).toContain("ends at start-up, with server/discover or without");
});

test("a server that takes nothing before initialize is opened again in a process that was asked nothing", async () => {
  const script = `let b="",n=0;process.stdin.on("data",d=>{b+=d;let i;while((i=b.indexOf("\\n"))>=0){const m=JSON.parse(b.slice(0,i));b=b.slice(i+1);if(m.id===undefined)continue;const late=m.method==="initialize"&&n++>0||m.method!=="initialize"&&n++===0;process.stdout.write(JSON.stringify({jsonrpc:"2.0",id:m.id,...(late?{error:{code:-32600,message:"Already initialized"}}:{result:m.method==="initialize"?{protocolVersion:"2025-11-25",capabilities:{tools:{}},serverInfo:{name:"a",version:"1"}}:{tools:[]}})})+"\\n")}});process.stdin.on("end",()=>process.exit(0));`;
  const report = await judge(child(["-e", script]), { times: quick });
  expect([report.revision, report.verdicts[0]?.outcome.status]).toEqual(["2025-11-25", "pass"]);
  expect(report.warnings.join("\n")).toContain("in a process that had been asked server/discover first");
});
