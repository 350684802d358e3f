// The laboratory is on loopback, where this row does not bind; here it is tried on servers that only seem to be public.
import { expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Check } from "../../model/check.ts";
import type { Exchange, Header } from "../../model/exchange.ts";
import type { HttpInit } from "../../model/session.ts";
import tlsRequired from "./security-tls-required.ts";

type Server = Parameters<NonNullable<Check["run"]>>[1];

const BODY = '{"jsonrpc":"2.0","id":1,"method":"initialize"}';
const served = { jsonrpc: "2.0", id: 1, result: {} };

const exchange = (status: number | undefined, headers: readonly Header[] = [], reply?: object): Exchange => ({
  n: 1,
  session: 1,
  sender: "test",
  sent: {
    text: BODY,
    http: {
      method: "POST",
      url: "https://mcp.example.com/",
      headers: [
        ["Content-Type", "application/json"],
        ["Accept", "application/json, text/event-stream"],
        ["Authorization", "Bearer secret"],
        ["X-Api-Key", "secret"],
      ],
    },
  },
  received: [],
  ...(reply === undefined ? {} : { reply }),
  ...(status === undefined
    ? { cause: "connect ECONNREFUSED" }
    : {
        http: { status, headers, body: "", bytes: 0, truncated: false, ended: true, badLines: [], events: [] },
      }),
  end: status === undefined ? "unreachable" : "complete",
  ms: 1,
});

/** What the check finds at a URL whose opening went this way, and what it sent over plain http. */
async function tried(url: string, opening: Exchange, plain: Exchange = opening) {
  const sent: HttpInit[] = [];
  const server: Server = Object.assign(Object.create(null), {
    target: { kind: "http", url: new URL(url), loopback: false, credential: true, command: [] },
    unique: () => "assay-1",
    attributed: async (each: Exchange) => each,
    async http(init: HttpInit) {
      sent.push(init);
      return plain;
    },
  });
  return { outcome: await tlsRequired.run?.({ opened: { exchange: opening } }, server), sent };
}

test("MCP over plain http on a public host fails", async () => {
  for (const url of ["http://mcp.example.com/mcp", "http://8.8.8.8:8080/mcp"]) {
    expect((await tried(url, exchange(200, [], served))).outcome).toMatchObject({
      status: "fail",
      actual: "the opening served (HTTP 200)",
    });
  }
});

test("a host that answers over https is asked over http without a credential", async () => {
  const { outcome, sent } = await tried("https://mcp.example.com:8443/mcp?a=1", exchange(200, [], served));
  expect(outcome).toMatchObject({ status: "fail" });
  expect(sent).toEqual([
    {
      url: "http://mcp.example.com/mcp?a=1",
      frame: "none",
      set: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: '{"jsonrpc":"2.0","id":"assay-1","method":"initialize"}',
      id: "assay-1",
      once: true,
    },
  ]);
});

test("refused, redirected to https and 4xx are right", async () => {
  const https = "https://mcp.example.com/mcp";
  for (const plain of [exchange(undefined), exchange(301, [["Location", https]]), exchange(403), exchange(404)]) {
    const { outcome } = await tried(https, exchange(200, [], served), plain);
    expect(outcome).toMatchObject({ status: "pass" });
    expect(outcome).not.toHaveProperty("note");
  }
  expect((await tried("http://mcp.example.com/mcp", exchange(301, [["Location", https]]))).outcome?.status).toBe(
    "pass",
  );
});

test("loopback, private and link-local hosts need no TLS", async () => {
  for (const host of ["10.0.0.1", "[fd00::1]", "169.254.1.1", "mcp.internal", "localhost:3000"]) {
    expect((await tried(`http://${host}/mcp`, exchange(200, [], served))).outcome?.status).toBe("skipped");
  }
  expect((await alone("security-tls-required")).status).toBe("skipped");
});
