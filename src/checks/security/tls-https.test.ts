import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { run } from "../../engine/run.ts";
import type { Outcome } from "../../model/outcome.ts";
import { listen } from "../../reference/http.ts";
import { createReference } from "../../reference/server.ts";
import { revision20251125 } from "../../revisions/2025-11-25.ts";
import { CA, GOOD, KEY } from "../../wire/certificates.fixture.ts";
import check from "./security-tls-required.ts";

const HOST = "mcp.example.com";
const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function port(server: Server): Promise<number> {
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
const quiet = (...sockets: readonly Socket[]) => {
  for (const socket of sockets) socket.on("error", () => socket.destroy());
};

let url = "";
let front = 0;
beforeAll(async () => {
  const reference = await listen(createReference({ host: HOST }, []), 0);
  closing.push(reference.close);
  const behind = Number(new URL(reference.url).port);
  const tls = createTls({ key: KEY, cert: GOOD }, (socket) => {
    const upstream = connect(behind, "127.0.0.1");
    quiet(socket, upstream);
    socket.pipe(upstream).pipe(socket);
  });
  url = `https://${HOST}:${behind}/mcp`;
  front = await port(tls);
});

/** What the check finds where plain http on the same host is answered like this, if at all; told what was sent there. */
async function found(plain: string | undefined): Promise<{ readonly outcome: Outcome | undefined; asked: string }> {
  let asked = "";
  // A proxy makes both ports of the public host end here.
  const proxy = createServer((client) => {
    quiet(client);
    client.once("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (text.startsWith("CONNECT ")) {
        const upstream = connect(front, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
        quiet(upstream);
        client.pipe(upstream).pipe(client);
        return;
      }
      asked = text;
      if (plain === undefined) client.destroy();
      else client.end(plain.replace("ID", /"id":"([^"]+)"/.exec(text)?.[1] ?? ""));
    });
  });
  const report = await run({
    revision: { ...revision20251125, catalog: revision20251125.catalog.filter(({ id }) => id === check.id) },
    target: {
      kind: "http",
      url: new URL(url),
      headers: [["Authorization", "Bearer hush"]],
      tls: { ca: CA, proxy: new URL(`http://127.0.0.1:${await port(proxy)}`) },
    },
    checks: [check],
    filters: { only: [], skip: [] },
    times: { request: 5000, startup: 5000, preflight: 5000, quiet: 20, grace: 300 },
    concurrency: 1,
    clock: () => performance.now(),
    date: () => new Date(0),
    random: (below) => Math.floor(below / 2),
    tool: { name: "mcp-assay", version: "0", commit: "0" },
    environment: { runtime: "", os: "", arch: "" },
  });
  return { outcome: report.verdicts[0]?.outcome, asked };
}

test("an https server that answers over plain http, too, fails; nothing of the user's is sent there", async () => {
  const body = '{"jsonrpc":"2.0","id":"ID","result":{}}';
  const plain = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${body}`;
  const { outcome, asked } = await found(plain);
  expect(outcome).toMatchObject({ status: "fail", actual: "the opening served (HTTP 200)" });
  expect(asked).toStartWith(`POST http://${HOST}/mcp HTTP/1.1\r\n`);
  expect(asked).not.toContain("hush");
});

test("one whose plain port leads to https or is closed passes", async () => {
  const moved = `HTTP/1.1 301 Moved\r\nLocation: ${url}\r\nContent-Length: 0\r\n\r\n`;
  expect((await found(moved)).outcome).toMatchObject({ status: "pass", saw: "a redirect (HTTP 301)" });
  const closed = (await found(undefined)).outcome;
  expect(closed).toMatchObject({ status: "pass", saw: expect.stringContaining("no answer over http") });
});
