import { expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { HttpPlan } from "../../model/bendable.ts";

const PUBLIC = { host: "mcp.example.com" };
const answering = (plan: HttpPlan) =>
  alone(
    "security-tls-required",
    (server) => server.gate(({ method }) => (method === "POST" ? plan : undefined)),
    PUBLIC,
  );

test("MCP over plain http on a public host fails", async () => {
  expect(await alone("security-tls-required", () => {}, PUBLIC)).toMatchObject({
    status: "fail",
    actual: "the opening served (HTTP 200)",
  });
});

test("a redirect to https, and a refusal, pass", async () => {
  const moved: HttpPlan = { status: 308, headers: [["Location", "https://mcp.example.com/mcp"]] };
  expect(await answering(moved)).toMatchObject({ status: "pass", saw: "a redirect (HTTP 308)" });
  expect(await answering({ status: 403, headers: [] })).toMatchObject({ status: "pass" });
});

test("a redirect over http passes with a note", async () => {
  expect(await answering({ status: 307, headers: [["Location", "/elsewhere"]] })).toMatchObject({
    status: "pass",
    note: "a redirect over http to somewhere that is not https",
  });
});

test("loopback needs no TLS", async () => {
  expect(await alone("security-tls-required")).toMatchObject({ status: "skipped" });
});
