// Behaviours that are unusual and right: each must pass or be skipped, never fail.
import { expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import { at } from "../../model/json.ts";

const text = (value: unknown) => ({ content: [{ type: "text", text: String(value) }] });
const seen = async (...trial: Parameters<typeof alone>): Promise<readonly unknown[]> => {
  const outcome = await alone(...trial);
  if (outcome.status === "pass") return ["pass", outcome.note];
  return [outcome.status, outcome.status === "fail" ? outcome.actual : outcome.because];
};

test("an Origin may be refused with any 4xx where an older revision was negotiated", async () => {
  const bend = (server: Bendable) => {
    server.rules.originStatus = 400;
  };
  expect((await seen("security-origin-validation", bend, { newest: "2025-06-18" }))[0]).toBe("pass");
});

test("GET is not judged by its Origin where it is not offered", async () => {
  const bend = (server: Bendable) => {
    server.rules.get = false;
    server.rules.origin = ["POST", "DELETE"];
  };
  expect(await seen("security-origin-validation", bend)).toEqual(["pass", undefined]);
});

test("a server without browsers may refuse every Origin", async () => {
  const bend = (server: Bendable) =>
    server.gate(({ headers }) => (headers["origin"] === undefined ? undefined : { status: 403, headers: [] }));
  expect(await seen("security-origin-validation", bend)).toEqual(["pass", "the server's own origin is refused, too"]);
});

test("a server that does not know ping is judged by its Origin all the same", async () => {
  const bend = (server: Bendable) => {
    server.answer("ping", () => ({ error: { code: -32601, message: "no such method" } }));
    server.rules.origin = [];
  };
  expect((await seen("security-origin-validation", bend))[0]).toBe("fail");
});

test("CORS for everybody without credentials passes with a note", async () => {
  for (const [origin, note] of [
    ["*", "every origin is allowed (*), without credentials: pages may read what needs no cookie"],
    [
      "https://evil.example.com",
      "the foreign origin is reflected, without credentials: pages may read what needs no cookie",
    ],
    ["https://app.example.com", undefined],
  ] as const) {
    const bend = (server: Bendable) =>
      server.http((plan) => ({ ...plan, headers: [...plan.headers, ["Access-Control-Allow-Origin", origin]] }));
    expect(await seen("security-cors-headers", bend)).toEqual(["pass", note]);
  }
});

test("large and unknown arguments may be refused in any way", async () => {
  const refusing = (status: number) => (server: Bendable) =>
    server.http((plan, { body }) => (body.length > 1024 * 1024 ? { status, headers: [], body: "" } : plan));
  expect((await seen("security-oversized-input", refusing(413)))[0]).toBe("pass");
  const unread = (server: Bendable) =>
    server.http((plan, { body }) =>
      body.length > 1024 * 1024
        ? {
            status: 500,
            headers: [["Content-Type", "application/json"]],
            body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"too large"}}',
          }
        : plan,
    );
  expect((await seen("security-oversized-input", unread))[0]).toBe("pass");
  const failing = (server: Bendable) =>
    server.answer("tools/call", () => ({ error: { code: -32603, message: "too much" } }));
  expect((await seen("security-oversized-input", failing))[0]).toBe("pass");
  expect((await seen("security-extra-params", failing))[0]).toBe("pass");
});

test("a limit on calls is what is asked for", async () => {
  for (const answer of [
    { status: 429, headers: [] },
    { status: 503, headers: [["Retry-After", "1"] as const] },
  ]) {
    let calls = 0;
    const bend = (server: Bendable) =>
      server.gate(({ json }) => (at(json, "params", "name") === "now" && ++calls > 20 ? answer : undefined));
    expect(await seen("security-rate-limiting", bend)).toEqual(["pass", undefined]);
  }
  const saying = (server: Bendable) => server.tool("now", () => ({ ...text("rate limit exceeded"), isError: true }));
  expect(await seen("security-rate-limiting", saying)).toEqual(["pass", undefined]);
});

test("an argument that also goes into a header is not made large", async () => {
  const bend = (server: Bendable) =>
    server.put("tools/list", ["tools", 0, "inputSchema", "properties", "text", "x-mcp-header"], "Text");
  const outcome = await alone("security-oversized-input", bend, {}, "2026-07-28");
  expect(outcome).toMatchObject({ status: "pass", saw: expect.stringContaining("1 MiB as path of read_note") });
});
