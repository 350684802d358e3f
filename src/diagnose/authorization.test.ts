import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Header } from "../model/exchange.ts";
import { createRedactor } from "../text/redact.ts";
import { variantsOf } from "./authorization-server.ts";
import { challengesIn } from "./challenge.ts";
import { diagnose } from "./diagnose.ts";

/** What the server says at each path beside its endpoint, which is always locked. */
interface Locked {
  readonly challenge?: string;
  readonly documents?: Readonly<Record<string, unknown>>;
  readonly cors?: "everywhere" | "on preflight";
  readonly preflight?: number;
}

let locked: Locked = {};
let asked: string[] = [];
let origin = "";
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
  const document = locked.documents?.[request.url ?? ""];
  if (document !== undefined) {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(document));
    return;
  }
  if (request.url !== "/mcp") {
    response.writeHead(404).end();
    return;
  }
  const open = locked.cors === "everywhere" || (locked.cors === "on preflight" && request.method === "OPTIONS");
  response.writeHead(request.method === "OPTIONS" ? (locked.preflight ?? 204) : 401, {
    ...(locked.challenge === undefined ? {} : { "WWW-Authenticate": locked.challenge }),
    ...(open ? { "Access-Control-Allow-Origin": "*" } : {}),
  });
  response.end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const PRM = "/.well-known/oauth-protected-resource";
const AS = "/.well-known/oauth-authorization-server";
const resource = (more: object = {}) => ({ resource: `${origin}/mcp`, authorization_servers: [origin], ...more });
const issuer = (more: object = {}) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ["S256"],
  ...more,
});
function found(how: Locked, headers: readonly Header[] = []) {
  locked = how;
  asked = [];
  return diagnose({
    target: { kind: "http", url: new URL(`${origin}/mcp`), headers, tls: {} },
    times: { request: 5000, startup: 5000, preflight: 5000, quiet: 20, grace: 300 },
    clock: () => performance.now(),
    redact: createRedactor([]),
  });
}

test("a locked server that tells the whole way is only locked", async () => {
  const { cause, authorization, refused, heard, liveness, troubles } = await found({
    challenge: `Bearer resource_metadata="${origin}${PRM}/mcp", scope="notes"`,
    documents: { [`${PRM}/mcp`]: resource(), [AS]: issuer() },
  });
  expect([cause, refused, heard, liveness.class, troubles]).toEqual(["locked", true, false, "gated", []]);
  expect(authorization?.problem).toBeUndefined();
  expect(authorization?.challenges[0]?.parameters["scope"]).toBe("notes");
  expect(authorization?.steps.filter(({ result }) => result !== "ok").map(({ what }) => what)).toEqual([
    "metadata at the well-known URL of the root",
  ]);
  expect(asked.some((line) => line.startsWith("GET /authorize") || line.startsWith("GET /token"))).toBe(false);
}, 60_000);

test("each gap on the way is the headline", async () => {
  const whole = { [`${PRM}/mcp`]: resource(), [AS]: issuer() };
  const rows: readonly (readonly [cause: string, headline: string, how: Locked])[] = [
    ["no-challenge-no-metadata", "no OAuth here", {}], // W083
    ["metadata-missing", "nowhere", { challenge: "Bearer" }],
    // W083 again: the documents are there, so a client of 2025-11-25 finds its way.
    ["locked", "wants a credential", { documents: whole }],
    [
      "locked",
      "wants a credential",
      { challenge: "Bearer", documents: { [PRM]: resource({ resource: origin }), [AS]: issuer() } },
    ],
    // Servers of 2025-03-26 are their own authorization server.
    ["locked", "wants a credential", { challenge: "Bearer", documents: { [AS]: issuer() } }],
    [
      "resource-mismatch",
      "another URL",
      { documents: { ...whole, [`${PRM}/mcp`]: resource({ resource: `${origin}/sse` }) } },
    ], // W085
    [
      "resource-mismatch",
      "another URL",
      { documents: { ...whole, [`${PRM}/mcp`]: resource({ resource: "https://example.com/mcp" }) } },
    ],
    [
      "authorization-server-missing",
      "no authorization server",
      { documents: { [PRM]: resource({ authorization_servers: [] }) } },
    ],
    ["authorization-server-unreachable", "no metadata", { documents: { [PRM]: resource() } }],
    ["issuer-mismatch", "another issuer", { documents: { ...whole, [AS]: issuer({ issuer: "https://example.com" }) } }],
    [
      "authorization-server-incomplete",
      "S256",
      { documents: { ...whole, [AS]: issuer({ code_challenge_methods_supported: ["plain"] }) } },
    ],
    [
      "authorization-server-incomplete",
      "token_endpoint",
      { documents: { ...whole, [AS]: issuer({ token_endpoint: undefined }) } },
    ],
    // By OpenID Connect discovery.
    [
      "locked",
      "wants a credential",
      { documents: { [PRM]: resource(), "/.well-known/openid-configuration": issuer() } },
    ],
  ];
  for (const [cause, headline, how] of rows) {
    const { cause: got, headline: said, authorization } = await found(how);
    expect([how, got, said]).toEqual([how, cause, expect.stringContaining(headline)]);
    expect(authorization?.problem === undefined).toBe(cause === "locked");
  }
}, 60_000);

test("a credential that is refused goes nowhere but to the endpoint", async () => {
  const how = {
    challenge: 'Bearer error="invalid_token", error_description="expired"',
    documents: { [PRM]: resource(), [AS]: issuer() },
  };
  const { cause, headline } = await found(how, [["Authorization", "Bearer hush"]]);
  expect([cause, headline]).toEqual([
    "credential-refused-by-server",
    expect.stringContaining("invalid or has expired"),
  ]);
  for (const line of asked.filter((each) => each.includes("hush"))) expect(line).toMatch(/^\w+ \/mcp /);
  expect(asked.filter((each) => each.includes(".well-known")).length).toBeGreaterThan(1);
}, 60_000);

test("nobody is asked whom only the server's word would make us ask", async () => {
  const { contacted, authorization } = await found({
    challenge: 'Bearer resource_metadata="https://elsewhere.example/metadata"',
    documents: {
      [PRM]: resource({ authorization_servers: ["http://169.254.169.254/", "http://public.example/", "no url"] }),
    },
  });
  expect(contacted).toEqual([origin]);
  expect(authorization?.steps.filter(({ result }) => result === "not asked").length).toBe(4);
}, 60_000);

test("browsers that can't read the challenge are a trouble beside it", async () => {
  const causes = async (how: Locked) => (await found(how)).troubles.map(({ cause }) => cause);
  expect(await causes({ cors: "on preflight" })).toEqual(["challenge-hidden-from-browsers"]); // W089
  expect(await causes({ cors: "everywhere" })).toEqual([]);
  expect(await causes({ preflight: 401 })).toEqual(["preflight-locked"]); // W088
}, 60_000);

test("challenges are read as RFC 9110 has them", () => {
  expect(challengesIn('Basic realm="a, b", Bearer resource_metadata=https://h/x?y=1, scope="a \\"b\\""')).toEqual([
    { scheme: "Basic", parameters: { realm: "a, b" } },
    { scheme: "Bearer", parameters: { resource_metadata: "https://h/x?y=1", scope: 'a "b"' } },
  ]);
  expect(challengesIn("Negotiate abc==, Bearer")).toEqual([
    { scheme: "Negotiate", parameters: {} },
    { scheme: "Bearer", parameters: {} },
  ]);
  expect(challengesIn("")).toEqual([]);
}, 60_000);

test("an issuer with a path has three places for its metadata", () => {
  expect(variantsOf(new URL("https://auth.example.com/tenant/")).map(String)).toEqual([
    "https://auth.example.com/.well-known/oauth-authorization-server/tenant",
    "https://auth.example.com/.well-known/openid-configuration/tenant",
    "https://auth.example.com/tenant/.well-known/openid-configuration",
  ]);
}, 60_000);
