import { afterAll, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from "node:net";
import type { Target, Times } from "../engine/context.ts";
import type { Diagnosis } from "../model/diagnosis.ts";
import type { World } from "../model/fault.ts";
import { listen as listenReference } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { createRedactor } from "../text/redact.ts";
import { CA, ELSEWHERE, EXPIRED, GOOD, KEY, SELF_SIGNED } from "../wire/certificates.fixture.ts";
import { diagnose } from "./diagnose.ts";

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const TIMES: Times = { request: 5000, startup: 5000, preflight: 5000, quiet: 20, grace: 300 };
/** Where a wait has to run out. */
const BRIEF: Times = { request: 300, startup: 1500, preflight: 300, quiet: 20, grace: 300 };

async function port(server: TcpServer | Server): Promise<number> {
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly message: {
    readonly id?: unknown;
    readonly method?: string;
    readonly params?: { readonly protocolVersion?: string };
  };
  readonly request: IncomingMessage;
};
/** A small server of the older era; `bend` answers in its place where it returns true. */
async function serving(
  bend: (asked: Asked, response: ServerResponse) => boolean | undefined,
  path = "/mcp",
): Promise<string> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (bytes) => {
      text += bytes;
    });
    request.on("end", () => {
      const message = text === "" ? {} : JSON.parse(text);
      const asked = { method: request.method ?? "", path: request.url ?? "", message, request };
      if (bend(asked, response) === true) return;
      if (asked.path !== path) return void response.writeHead(404).end();
      if (asked.method !== "POST") return void response.writeHead(405, { Allow: "POST" }).end();
      if (message.id === undefined) return void response.writeHead(202).end();
      const answer = answerTo(message) ?? { error: { code: -32601, message: "unknown" } };
      json(response, 200, { jsonrpc: "2.0", id: message.id, ...answer });
    });
  });
  return `http://127.0.0.1:${await port(server)}${path}`;
}
const ANSWERS: Readonly<Record<string, object>> = {
  initialize: {
    result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" } },
  },
  ping: { result: {} },
  "tools/list": { result: { tools: [] } },
};
/** With the version that was asked for, as a right server does. */
function answerTo({ method = "", params }: Asked["message"]): object | undefined {
  if (method !== "initialize") return ANSWERS[method];
  const result = { capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" } };
  return { result: { ...result, protocolVersion: params?.protocolVersion } };
}
function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): true {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  return true;
}
function said(response: ServerResponse, status: number, headers: Record<string, string> = {}, body = ""): true {
  response.writeHead(status, headers).end(body);
  return true;
}

const asked = (url: string, more: Partial<Extract<Target, { kind: "http" }>> = {}, times = TIMES): Promise<Diagnosis> =>
  diagnose({
    target: { kind: "http", url: new URL(url), headers: [], tls: {}, ...more },
    times,
    clock: () => performance.now(),
    redact: createRedactor([]),
  });
const stageOf = ({ stages }: Diagnosis) => stages.find(({ state }) => state === "failed")?.name;
const shown = ({ evidence }: Diagnosis, label: string) => evidence.find((each) => each.label === label)?.text;

test.concurrent("a right server is right, over JSON and over SSE, with priming events or not", async () => {
  const plain = await asked(await serving(() => false));
  expect(plain).toMatchObject({ ok: true, troubles: [], liveness: { class: "open" } });
  expect(plain.cause).toBeUndefined();
  // W092: an event without data is legal.
  const primed = await serving(({ message }, response) => {
    if (message.id === undefined || answerTo(message) === undefined) return false;
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answerTo(message) });
    return said(
      response,
      200,
      { "Content-Type": "text/event-stream" },
      `id: 1\ndata:\n\nevent: message\ndata: ${body}\n\n`,
    );
  });
  expect(await asked(primed)).toMatchObject({ ok: true, troubles: [] });
  for (const world of [{}, { era: "modern" }, { era: "dual" }, { json: true }, { stateless: true }] satisfies World[]) {
    const { url, close } = await listenReference(createReference(world, []), 0);
    closing.push(close);
    const found = await asked(url);
    expect([world, found.ok, found.cause]).toEqual([world, true, undefined]);
  }
}, 60_000);

test.concurrent("no connection", async () => {
  const gone = createTcp();
  const free = await port(gone);
  await new Promise((resolve) => gone.close(resolve));
  expect(await asked(`http://127.0.0.1:${free}/mcp`)).toMatchObject({
    cause: "nobody-listens",
    heard: false,
    liveness: { class: "dead" },
  });
  expect(await asked("http://no-such-host.invalid/mcp")).toMatchObject({ cause: "name-not-found" });
  expect(await asked(`http://127.0.0.1:1/mcp`, { tls: { proxy: new URL(`http://127.0.0.1:${free}`) } })).toMatchObject({
    cause: "proxy-unreachable",
    liveness: { class: "unknown" },
  });
  const refusing = createTcp(
    (socket) =>
      void socket
        .on("error", () => {})
        .once("data", () => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")),
  );
  const proxy = new URL(`http://127.0.0.1:${await port(refusing)}`);
  expect(await asked("https://127.0.0.1:1/mcp", { tls: { proxy } })).toMatchObject({
    cause: "proxy-refuses",
    headline: expect.stringContaining("407"),
  });
}, 60_000);

test.concurrent("TLS, and its absence", async () => {
  const secure = async (cert: string) =>
    `https://127.0.0.1:${await port(createHttps({ key: KEY, cert }, (_, response) => void response.writeHead(404).end()))}/mcp`;
  const self = await asked(await secure(SELF_SIGNED));
  expect(self).toMatchObject({ cause: "certificate-self-signed", heard: false });
  expect(stageOf(self)).toBe("tls");
  expect(shown(self, "certificate")).toContain("issuer localhost");
  expect(await asked(await secure(EXPIRED), { tls: { ca: CA } })).toMatchObject({
    cause: "certificate-expired",
    headline: expect.stringContaining("2021"),
  });
  expect(await asked(await secure(ELSEWHERE), { tls: { ca: CA } })).toMatchObject({
    cause: "certificate-for-another-name",
    headline: expect.stringContaining("other.example"),
  });
  const unknown = await secure(GOOD);
  expect(await asked(unknown)).toMatchObject({ cause: "certificate-chain-incomplete" });
  expect(await asked(unknown, { tls: { ca: CA } })).toMatchObject({ cause: "path-not-found" });
  expect(await asked(unknown.replace("https:", "http:"))).toMatchObject({ cause: "tls-on-plain-http" });
  const plain = await serving(() => false);
  expect(await asked(plain.replace("http:", "https:"))).toMatchObject({ cause: "plain-http-on-tls" });
}, 60_000);

test.concurrent("what is no HTTP, or no answer", async () => {
  const banner = createTcp((socket) => void socket.on("error", () => {}).end("SSH-2.0-OpenSSH_9.6\r\n"));
  expect(await asked(`http://127.0.0.1:${await port(banner)}/mcp`)).toMatchObject({ cause: "not-http" });
  const closes = createTcp((socket) => void socket.on("error", () => {}).once("data", () => socket.destroy()));
  expect(await asked(`http://127.0.0.1:${await port(closes)}/mcp`)).toMatchObject({ cause: "closed-without-answer" });
  const large = createTcp(
    (socket) =>
      void socket
        .on("error", () => {})
        .once("data", () => socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${"x".repeat(200_000)}\r\n\r\n`)),
  );
  expect(await asked(`http://127.0.0.1:${await port(large)}/mcp`, {}, BRIEF)).toMatchObject({
    cause: "header-too-large",
  });
  const mute = await asked(await serving(() => true), {}, BRIEF);
  expect(mute).toMatchObject({ cause: "no-answer", liveness: { class: "unknown" }, heard: false });
  const drip = createTcp((socket) => {
    socket.on("error", () => {});
    const timer = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(timer));
    socket.once("data", () =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"),
    );
  });
  expect(await asked(`http://127.0.0.1:${await port(drip)}/mcp`, {}, BRIEF)).toMatchObject({ heard: false });
}, 60_000);

test.concurrent("a server that never stops is left in time, and keeps nobody's memory", async () => {
  const endless = (type: string, piece: string) =>
    serving((_, response) => {
      response.writeHead(200, { "Content-Type": type });
      const timer = setInterval(() => response.write(piece), 5);
      response.on("close", () => clearInterval(timer));
      return true;
    });
  const events = await endless("text/event-stream", `data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n`);
  const comments = await endless("text/event-stream", ": still here\n\n".repeat(10));
  const body = await endless("application/json", "x".repeat(65_536));
  const all = await Promise.all([events, comments, body].map((url) => asked(url, {}, BRIEF)));
  for (const found of all) {
    expect(found.ok).toBe(false);
    expect(JSON.stringify(found).length).toBeLessThan(20_000);
  }
  expect(all[0]).toMatchObject({ cause: "sse-without-answer", heard: true });
}, 60_000);

test.concurrent("the wrong place", async () => {
  const right = await serving(() => false);
  const wrong = await asked(right.replace("/mcp", "/api"));
  expect(wrong).toMatchObject({ cause: "wrong-path", headline: expect.stringContaining(right), mend: `Use ${right}.` });
  expect(shown(wrong, "other places, asked without credentials")).toContain("/sse: HTTP 404");
  const nowhere = await serving(
    ({ path }, response) => (path === "/x" ? said(response, 405, { Allow: "GET" }) : said(response, 404)),
    "/x",
  );
  expect(await asked(nowhere)).toMatchObject({ cause: "no-post", liveness: { class: "not-mcp" } });
  const page = await serving((_, response) =>
    said(response, 200, { "Content-Type": "text/html" }, "<!doctype html><title>Docs</title>"),
  );
  expect(await asked(page)).toMatchObject({ cause: "web-page", heard: false });
  const { url, close } = await listenReference(createReference({ sse: true }, []), 0);
  closing.push(close);
  expect(await asked(url)).toMatchObject({ cause: "legacy-sse", liveness: { class: "wrong-transport" } });
  expect(await asked(url, { sse: true })).toMatchObject({ ok: true });
  const below = await serving(({ path }, response) => (path === "/" ? said(response, 404) : false));
  expect(await asked(new URL("/", below).href)).toMatchObject({ cause: "wrong-path" });
  expect(await asked(right, { sse: true }, BRIEF)).toMatchObject({ cause: "streamable-not-sse" });
}, 60_000);

test.concurrent("redirects are not followed elsewhere, and never with credentials", async () => {
  const told: (string | undefined)[] = [];
  const slash = await serving(({ path, request }, response) => {
    told.push(`${path} ${request.headers.authorization ?? "-"}`);
    if (path === "/mcp") return said(response, 307, { Location: "/mcp/" });
    return false;
  }, "/mcp");
  const right = await serving(({ path, request, message }, response) => {
    told.push(`${path} ${request.headers.authorization ?? "-"}`);
    if (path === "/mcp") return said(response, 307, { Location: "/mcp/" });
    return json(response, 200, { jsonrpc: "2.0", id: message.id ?? null, ...ANSWERS["initialize"] });
  });
  expect(await asked(slash)).toMatchObject({ cause: "redirect", headline: expect.stringContaining("/mcp/") });
  told.length = 0;
  const found = await asked(right, { headers: [["Authorization", "Bearer hush"]] });
  expect(found).toMatchObject({ cause: "redirect-to-endpoint", mend: expect.stringContaining(`${right}/`) });
  expect(told).toContain("/mcp Bearer hush");
  expect(told).toContain("/mcp/ -");
  expect(told).not.toContain("/mcp/ Bearer hush");
  const elsewhere = await serving(() => {
    throw new Error("nobody may come here");
  });
  const away = await asked(await serving((_, response) => said(response, 302, { Location: elsewhere })));
  expect(away).toMatchObject({ cause: "redirect", headline: expect.stringContaining("was not asked") });
  expect(away.contacted).toHaveLength(1);
  const login = await serving((_, response) => said(response, 302, { Location: "https://id.example/login" }));
  expect(await asked(login)).toMatchObject({ cause: "redirect-to-login" });
  const circle = await serving(({ path }, response) =>
    said(response, 307, { Location: path === "/mcp" ? "/b" : "/mcp" }),
  );
  expect(await asked(circle)).toMatchObject({ cause: "redirect-loop" });
  // W080, behind TLS: the scheme is lost.
  const secure = createHttps(
    { key: KEY, cert: GOOD },
    (request, response) => void response.writeHead(307, { Location: `http://${request.headers.host}/mcp/` }).end(),
  );
  expect(await asked(`https://127.0.0.1:${await port(secure)}/mcp`, { tls: { ca: CA } })).toMatchObject({
    cause: "redirect-to-http",
  });
}, 60_000);

test.concurrent("guards and gateways", async () => {
  // W082: by status, by the words of an SDK, and by 403.
  for (const status of [421, 403]) {
    const guarded = await serving(({ request, message }, response) =>
      request.headers.host?.startsWith("localhost") === true
        ? false
        : json(response, status, {
            jsonrpc: "2.0",
            id: message.id ?? null,
            error: { code: -32000, message: "Invalid Host" },
          }),
    );
    expect(await asked(guarded)).toMatchObject({
      cause: "host-guard",
      headline: expect.stringContaining("answers to localhost"),
    });
  }
  const origin = await serving(({ request }, response) =>
    request.headers.origin === undefined ? said(response, 403) : false,
  );
  expect(await asked(origin)).toMatchObject({ cause: "origin-wanted" });
  expect(await asked(await serving((_, response) => said(response, 403, { Server: "AcmeGate" })))).toMatchObject({
    cause: "forbidden",
    headline: expect.stringContaining("AcmeGate"),
  });
  const gateway = await asked(
    await serving((_, response) =>
      said(response, 502, { Server: "nginx", "Content-Type": "text/html" }, "<h1>502 Bad Gateway</h1>"),
    ),
  );
  expect(gateway).toMatchObject({
    cause: "gateway-down",
    headline: expect.stringContaining("(nginx)"),
    liveness: { class: "unknown" },
  });
  const challenge = await serving((_, response) =>
    said(response, 503, { Server: "cloudflare", "Content-Type": "text/html" }, "<title>Just a moment...</title>"),
  );
  expect((await asked(challenge)).cause).toBe("gateway-down");
  const login = await serving((_, response) =>
    said(response, 200, { "Content-Type": "text/html" }, "<html><title>Sign in</title>"),
  );
  expect(await asked(login)).toMatchObject({ cause: "blocked-by-gateway" });
  expect(await asked(await serving((_, response) => said(response, 429, { "Retry-After": "0" })))).toMatchObject({
    cause: "rate-limited",
  });
  expect(await asked(await serving((_, response) => said(response, 500, {}, "Traceback")))).toMatchObject({
    cause: "server-error",
  });
}, 60_000);

test.concurrent("answers that clients can't use", async () => {
  const bent = (bend: (asked: Asked, response: ServerResponse) => boolean | undefined, times = TIMES) =>
    serving(bend).then((url) => asked(url, {}, times));
  // W016
  const wrapped = await bent(
    ({ message }, response) =>
      message.id !== undefined && json(response, 200, [{ jsonrpc: "2.0", id: message.id, result: {}, error: null }]),
  );
  expect(wrapped).toMatchObject({ cause: "answer-in-array" });
  // W091
  const unclosed = await bent(({ message }, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...ANSWERS["initialize"] })}\n`);
    return true;
  }, BRIEF);
  expect(unclosed).toMatchObject({ cause: "sse-not-closed" });
  // W094
  const held = await bent((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream", Server: "nginx/1.27" }).flushHeaders();
    return true;
  }, BRIEF);
  expect(held).toMatchObject({ cause: "sse-held-back", headline: expect.stringContaining("nginx") });
  // W044
  const parameters = await bent(
    ({ message }, response) => message.method === "tools/list" && said(response, 422, {}, "Failed to deserialize"),
  );
  expect(parameters).toMatchObject({ cause: "list-http-error", headline: expect.stringContaining("422") });
  expect(stageOf(parameters)).toBe("lists");
  // W077 and W079, for all requests
  expect(await bent((_, response) => said(response, 415))).toMatchObject({ cause: "content-type-refused" });
  expect(await bent((_, response) => said(response, 406))).toMatchObject({ cause: "accept-refused" });
  expect(await bent((_, response) => said(response, 202))).toMatchObject({ cause: "empty-answer" });
  expect(
    await bent((_, response) => said(response, 200, { "Content-Type": "application/json" }, '{"status":"ok"}')),
  ).toMatchObject({ cause: "not-json-rpc" });
  expect(await bent(({ message }, response) => message.method === "tools/list" && said(response, 404))).toMatchObject({
    cause: "list-wants-session",
  });
}, 60_000);

test.concurrent("what works here and breaks other clients", async () => {
  const bent = async (bend: (asked: Asked, response: ServerResponse) => boolean | undefined) =>
    asked(await serving(bend));
  // W064: a session is wanted for server/discover; that is a right server of the older era.
  const session = await bent(
    ({ message, request }, response) =>
      message.method === "server/discover" &&
      request.headers["mcp-session-id"] === undefined &&
      json(response, 400, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32000, message: "Bad Request: Mcp-Session-Id header is required" },
      }),
  );
  expect([session.ok, session.cause]).toEqual([true, undefined]);
  const rows: readonly (readonly [string, string, (asked: Asked, response: ServerResponse) => boolean | undefined])[] =
    [
      ["get-not-refused", "HTTP 400", ({ method }, response) => method === "GET" && said(response, 400)], // W070
      [
        "get-not-refused",
        "HTTP 200",
        ({ method }, response) => method === "GET" && json(response, 200, { status: "ok" }),
      ], // W071
      [
        "notification-body",
        "null",
        ({ message, method }, response) => method === "POST" && message.id === undefined && json(response, 200, null),
      ], // W074
      [
        "notification-body",
        "HTTP 400",
        ({ message, method }, response) => method === "POST" && message.id === undefined && said(response, 400),
      ],
      [
        "charset-refused",
        "HTTP 415",
        ({ request }, response) => request.headers["content-type"]?.includes("charset") === true && said(response, 415),
      ], // W077
      [
        "accept-order",
        "HTTP 406",
        ({ request }, response) =>
          request.headers.accept?.startsWith("text/event-stream, ") === true && said(response, 406),
      ], // W079
      ["preflight-locked", "401", ({ method }, response) => method === "OPTIONS" && said(response, 401)], // W088
      [
        "preflight-lacks-headers",
        "mcp-protocol-version",
        ({ method }, response) =>
          method === "OPTIONS" &&
          said(response, 204, { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "Content-Type" }),
      ], // W088
      [
        "text-id-becomes-number",
        'the id "1"',
        ({ message }, response) => message.id === "1" && json(response, 200, { jsonrpc: "2.0", id: 1, result: {} }),
      ], // W013
      [
        "ping-unknown",
        "ping",
        ({ message }, response) =>
          message.method === "ping" &&
          json(response, 200, { jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "" } }),
      ], // W052
    ];
  for (const [cause, headline, bend] of rows) {
    const found = await bent(bend);
    expect([cause, found.ok, found.cause, found.headline]).toEqual([
      cause,
      true,
      cause,
      expect.stringContaining(headline),
    ]);
  }
}, 60_000);
