import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpPlan, HttpRequestView } from "../model/bendable.ts";
import type { Header } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { isRequest, type Message } from "../model/message.ts";
import { metadata, TOKEN } from "./auth.ts";
import { decide } from "./decide.ts";
import { createLegacy } from "./legacy.ts";
import { isModern } from "./modern.ts";
import { answer, problem } from "./plan.ts";
import type { Reference, RefSession } from "./server.ts";

/** The reference server, listening. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Methods whose answer comes as an SSE stream; the others are answered with plain JSON. */
const STREAMED = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);
const OPENINGS = new Set<unknown>(["initialize", "server/discover"]);
const BODY_CAP = 4 * 1024 * 1024;

/** Serves the reference over Streamable HTTP on a loopback port (0: any). */
export async function listen(reference: Reference, port: number, token?: string): Promise<Listening> {
  const sessions = new Map<string, RefSession>();
  const { rules, world } = reference;
  const secret = token ?? (world.auth === true || world.locked === true ? TOKEN : undefined);
  const legacy = createLegacy(reference, write, die);
  let base = "";

  const server = createServer((request, response) => {
    void body(request).then((text) => {
      const view = received(viewOf(request, text ?? "", base));
      if (text === undefined)
        return write(response, reference.plan(problem(413, -32600, "the body is too large"), view));
      return serve(view, response);
    });
  });

  function received(view: HttpRequestView): HttpRequestView {
    const headers = { ...view.headers };
    for (const how of reference.bends.incoming) how(headers, view);
    return { ...view, headers };
  }

  async function serve(view: HttpRequestView, response: ServerResponse): Promise<void> {
    // A mute server opens, and then says nothing at all any more.
    if (world.mute === true && !OPENINGS.has(at(view.json, "method"))) return;
    const gated = reference.gate(view, die);
    if (gated !== undefined) return write(response, reference.plan(gated, view));
    if (world.sse === true) return legacy.serve(view, response);
    const document = secret === undefined ? undefined : metadata(view, base);
    if (document !== undefined) return write(response, reference.plan(document, view));
    if (view.path !== "/mcp") return write(response, reference.plan(problem(404, -32600, "no such path"), view));
    const refused = decide(reference, view, base, secret, sessions);
    if (refused !== undefined) return write(response, reference.plan(refused, view));
    if (view.method === "GET") return openStream(view, response);
    if (view.method === "DELETE") return terminate(view, response);
    return post(view, response);
  }

  async function post(view: HttpRequestView, response: ServerResponse): Promise<void> {
    if (Array.isArray(view.json)) return batch(view.json, view, response);
    if (!isObject(view.json)) return;
    const message: Message = view.json;
    const { session, headers } = sessionFor(message, view);
    const sent: unknown[] = [];
    if (!isRequest(message)) {
      const served = await reference.serve(message, session, { send: (json) => void sent.push(json), die });
      await served.follow();
      const plan: HttpPlan = sent.length === 0 ? { status: 202, headers: [] } : answer(200, sent[0]);
      return write(response, reference.plan(plan, view));
    }
    if (isModern(message, world)) return postModern(message, view, response);
    if (world.json === true || !STREAMED.has(String(message.method))) {
      const served = await reference.serve(message, session, { send: (json) => session.broadcast?.(json), die });
      if (served.reply === undefined) return;
      const plan = answer(200, served.reply);
      plan.headers.push(...headers);
      write(response, reference.plan(plan, view));
      return served.follow();
    }
    const plan = reference.plan({ status: 200, headers: [...SSE, ...headers], stream: true }, view);
    if (plan.stream !== true) return write(response, plan);
    const stream = startStream(response, plan, reference);
    if (rules.priming && session.protocolVersion >= "2025-11-25") stream.prime();
    const served = await reference.serve(message, session, { send: stream.send, die });
    if (served.reply !== undefined) stream.send(served.reply);
    await served.follow();
    if (rules.endStream && served.reply !== undefined) response.end();
  }

  /** Without a session; the stream opens with the first thing said on it, since an error may want another status. */
  async function postModern(message: Message, view: HttpRequestView, response: ServerResponse): Promise<void> {
    const session = reference.session("none");
    let stream: ReturnType<typeof startStream> | undefined;
    const send = (json: unknown) => {
      if (response.writableEnded) return;
      const plan =
        stream === undefined ? reference.plan({ status: 200, headers: [...SSE], stream: true }, view) : undefined;
      // A fault may want another answer than a stream.
      if (plan !== undefined && plan.stream !== true) return write(response, plan);
      if (plan !== undefined) stream = startStream(response, plan, reference);
      stream?.send(json);
    };
    // Section basic/transports/streamable-http#cancellation: a client that leaves has cancelled.
    response.on("close", () => session.running.get(message.id)?.());
    const served = await reference.serve(message, session, { send, die });
    const { reply, status = 200 } = served;
    if (reply === undefined) return served.follow();
    if (stream !== undefined || (status === 200 && world.json !== true && STREAMED.has(String(message.method))))
      send(reply);
    else write(response, reference.plan(answer(status, reply), view));
    await served.follow();
    if (stream !== undefined && rules.endStream) response.end();
  }

  async function batch(items: readonly unknown[], view: HttpRequestView, response: ServerResponse): Promise<void> {
    const replies: unknown[] = [];
    for (const item of items) {
      if (!isObject(item)) continue;
      const { session } = sessionFor(item, view);
      const { reply } = await reference.serve(item, session, { send: () => {}, die });
      if (reply !== undefined) replies.push(reply);
    }
    return write(response, rules.batch === "accept" ? { status: 202, headers: [] } : answer(200, replies));
  }

  /** The session a message belongs to; a new one for initialize. Stateless servers keep none. */
  function sessionFor(message: Message, view: HttpRequestView): { session: RefSession; headers: readonly Header[] } {
    const named = sessions.get(view.headers["mcp-session-id"] ?? "");
    if (message.method !== "initialize") return { session: named ?? reference.session("none"), headers: [] };
    const session = reference.session(randomUUID());
    if (world.stateless === true) return { session, headers: [] };
    sessions.set(session.id, session);
    return { session, headers: [["Mcp-Session-Id", session.id]] };
  }

  function openStream(view: HttpRequestView, response: ServerResponse): void {
    const session = sessions.get(view.headers["mcp-session-id"] ?? "");
    const plan = reference.plan({ status: 200, headers: [...SSE], stream: true }, view);
    if (plan.stream !== true) {
      write(response, plan);
      return;
    }
    const stream = startStream(response, plan, reference);
    stream.comment("listening");
    if (session === undefined) return;
    const broadcast = (json: unknown) => stream.send(json);
    session.broadcast = broadcast;
    // A client that listens late is told now; to be told twice does no harm.
    if (world.bare !== true) stream.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    session.memory.set("stream", response);
    response.on("close", () => {
      if (session.broadcast === broadcast) session.broadcast = undefined;
    });
  }

  function terminate(view: HttpRequestView, response: ServerResponse): void {
    const id = view.headers["mcp-session-id"] ?? "";
    const stream = sessions.get(id)?.memory.get("stream");
    sessions.delete(id);
    if (stream !== undefined) (stream as ServerResponse).end();
    write(response, reference.plan({ status: 204, headers: [] }, view));
  }

  function die(): void {
    server.close();
    server.closeAllConnections();
  }

  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: world.sse === true ? `${base}/sse` : `${base}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// --- internal ---

const SSE: readonly Header[] = [
  ["Content-Type", "text/event-stream"],
  ["Cache-Control", "no-cache"],
  ["X-Accel-Buffering", "no"],
];

function write(response: ServerResponse, plan: HttpPlan): void {
  if (response.destroyed) return;
  response.writeHead(plan.status, plan.headers.flat());
  response.end(plan.body);
}

let streams = 0;

function startStream(response: ServerResponse, plan: HttpPlan, { bends }: Reference) {
  const name = `s${(++streams).toString(36)}`;
  let events = 0;
  response.writeHead(plan.status, plan.headers.flat());
  response.flushHeaders();
  const block = (text: string) => {
    if (!response.destroyed && !response.writableEnded) {
      response.write(`${bends.blocks.reduce((now, how) => how(now), text)}\n\n`);
    }
  };
  return {
    comment: (text: string) => response.write(`: ${text}\n\n`),
    prime: () => block(`id: ${name}_${events++}\ndata: `),
    send: (json: unknown) => block(`event: message\nid: ${name}_${events++}\ndata: ${JSON.stringify(json)}`),
  };
}

function viewOf(request: IncomingMessage, text: string, base: string): HttpRequestView {
  const url = new URL(request.url ?? "/", base === "" ? "http://127.0.0.1" : base);
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value[0] : value;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers,
    names,
    body: text,
    json,
  };
}

function body(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= BODY_CAP) chunks.push(chunk);
    });
    request.on("end", () => resolve(size > BODY_CAP ? undefined : Buffer.concat(chunks).toString("utf8")));
    request.on("error", () => resolve(""));
  });
}
