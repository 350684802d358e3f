import { afterAll, expect, test } from "bun:test";
import { request } from "node:http";
import { serveOnHttp } from "./http.ts";

const TOKEN = "correct-horse-battery";
const settings = { addresses: "public", commands: [] } as const;
const open = await serveOnHttp(settings, 0);
const locked = await serveOnHttp(settings, 0, TOKEN);
afterAll(() => Promise.all([open.close(), locked.close()]));

const initialize = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
});

function post(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body = initialize,
  path?: string,
): Promise<number> {
  const { port, pathname } = new URL(url);
  const own = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    Host: `127.0.0.1:${port}`,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path: path ?? pathname, method: "POST", headers: { ...own, ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

test("only this machine's names and origins are let in", async () => {
  expect(await post(open.url)).toBe(200);
  expect(await post(open.url, { Host: "localhost:1" })).toBe(200);
  expect(await post(open.url, { Origin: "http://localhost:5173" })).toBe(200);
  for (const host of [
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example:80",
    "10.0.0.1",
  ]) {
    expect(await post(open.url, { Host: host })).toBe(403);
  }
  for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", "file://"]) {
    expect(await post(open.url, { Origin: origin })).toBe(403);
  }
});

test("a token is asked for before anything else is looked at", async () => {
  expect(await post(locked.url)).toBe(401);
  for (const header of ["Bearer", "Bearer wrong", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
    expect(await post(locked.url, { Authorization: header })).toBe(401);
  }
  expect(await post(locked.url, {}, "{ no JSON")).toBe(401);
  expect(await post(`${locked.url}?access_token=${TOKEN}`)).toBe(401);
  expect(await post(locked.url, { Authorization: `bearer ${TOKEN}` })).toBe(200);
});

test("what is no request of MCP is refused", async () => {
  expect(await post(open.url, {}, initialize, "/")).toBe(404);
  expect(await post(open.url, {}, `[${initialize}]`)).toBe(400);
  expect(await post(open.url, {}, "{")).toBe(400);
  expect(await post(open.url, { "MCP-Session-Id": "none" })).toBe(404);
  expect(await post(open.url, {}, `{"x":"${"x".repeat(5 * 1024 * 1024)}"}`)).toBe(413);
});
