import type { Answer, Draft, HttpPlan, HttpRequestView, Rules, Serving } from "../model/bendable.ts";
import type { Fault, World } from "../model/fault.ts";
import { isObject } from "../model/json.ts";
import { isResponse, type Message } from "../model/message.ts";
import { answers, type Handler } from "./answers.ts";
import { type Bends, bendable, createBends } from "./bend.ts";
import { isModern, metaProblem, modernAnswers, modernSession, statusOf } from "./modern.ts";
import { toolHandlers } from "./tools.ts";

/** One session of the reference server. */
export interface RefSession {
  readonly id: string;
  protocolVersion: string;
  capabilities: Draft;
  readonly memory: Map<string, unknown>;
  /** Requests of ours that the client has yet to answer, by id. */
  readonly waiting: Map<unknown, (answer: Message) => void>;
  /** Requests under way, by id; calling one cancels it. */
  readonly running: Map<unknown, () => void>;
  /** Writes to the session's own stream, where one is open. */
  broadcast?: ((json: unknown) => void) | undefined;
}

/** How one message's answers travel. */
export interface Link {
  send(json: unknown): void;
  die(): void;
}

/** What is to be sent back, if anything, and what happens once it is sent. */
export interface Served {
  readonly reply?: unknown;
  /** The HTTP status that goes with it. Default 200. */
  readonly status?: number;
  follow(): Promise<void>;
}

/** A correct server of both revisions, bent by faults, without a transport. */
export interface Reference {
  readonly world: World;
  readonly rules: Rules;
  readonly bends: Bends;
  session(id: string): RefSession;
  /** Serves one message. */
  serve(message: Message, session: RefSession, link: Link): Promise<Served>;
  gate(request: HttpRequestView, die: () => void): HttpPlan | undefined;
  plan(plan: HttpPlan, request: HttpRequestView): HttpPlan;
}

export const correctRules = (): Rules => ({
  origin: ["POST", "GET", "DELETE"],
  originStatus: 403,
  mediaType: true,
  batch: "refuse",
  session: true,
  unknownSession: 404,
  protocolHeader: true,
  get: true,
  delete: true,
  auth: ["POST", "GET", "DELETE"],
  authInSession: true,
  queryToken: false,
  priming: true,
  endStream: true,
  pageSize: 3,
  exitOnEof: true,
  meta: ["protocolVersion", "clientCapabilities"],
  versions: true,
  headers: ["version", "method", "name", "params"],
});

export function createReference(world: World, faults: readonly Fault[]): Reference {
  const rules = correctRules();
  const bends = createBends();
  const handlers = toolHandlers();
  const methods = answers(world, rules, handlers);
  const bent = new Set<string>();
  const modern = modernAnswers(world, methods, bent);
  for (const fault of faults) fault.apply(bendable(rules, methods, bent, handlers, bends));
  let asked = 0;

  async function serve(message: Message, given: RefSession, link: Link): Promise<Served> {
    const now = isModern(message, world);
    const session = now ? modernSession(given, message) : given;
    if (isResponse(message) && message.method === undefined) {
      session.waiting.get(message.id)?.(message);
      session.waiting.delete(message.id);
      return { follow: async () => {} };
    }
    const method = String(message.method);
    const cancelled = { yes: false };
    const serving = servingOf(message, method, session, link, cancelled);
    const served = { follow: () => follow(method, serving) };
    for (const how of [...(bends.before.get("*") ?? []), ...(bends.before.get(method) ?? [])]) await how(serving);
    if (message.id === undefined) {
      noticed(serving, given, world);
      return served;
    }
    if (world.mute === true && method !== (now ? "server/discover" : "initialize")) return new Promise(() => {});
    if (method === "initialize") {
      const declared = serving.params["capabilities"];
      session.capabilities = isObject(declared) ? { ...declared } : {};
    }
    const problem = now ? metaProblem(message, rules) : undefined;
    const answer = problem ?? (await answerTo(now ? modern(method) : methods.get(method), method, serving));
    session.running.delete(message.id);
    if (answer === undefined || cancelled.yes) return served;
    if (method === "initialize" && "result" in answer && isObject(answer.result)) {
      session.protocolVersion = String(answer.result["protocolVersion"]);
    }
    const reply = edited(answer, message, method, serving);
    return { ...served, reply, status: now ? statusOf(reply, problem !== undefined) : 200 };
  }

  async function follow(method: string, serving: Serving): Promise<void> {
    for (const how of [...(bends.after.get(method) ?? []), ...(bends.after.get("*") ?? [])]) await how(serving);
  }

  function edited(answer: Answer, message: Message, method: string, serving: Serving): unknown {
    let body: Answer = answer;
    for (const how of bends.edits.get(method) ?? []) {
      if (!("result" in body) || !isObject(body.result)) continue;
      const draft = structuredClone(body.result) as Draft;
      const replaced = how(draft, serving);
      body = { result: replaced ?? draft };
    }
    let reply: unknown = { jsonrpc: "2.0", id: message.id, ...body };
    for (const how of bends.replies) {
      if (isObject(reply)) reply = how(reply, serving);
    }
    return reply;
  }

  function servingOf(
    message: Message,
    method: string,
    session: RefSession,
    link: Link,
    cancelled: { yes: boolean },
  ): Serving {
    return {
      message,
      method,
      params: isObject(message.params) ? { ...message.params } : {},
      session,
      send: link.send,
      notify: (name, params) =>
        link.send({ jsonrpc: "2.0", method: name, ...(params === undefined ? {} : { params }) }),
      broadcast: (name, params) =>
        session.broadcast?.({ jsonrpc: "2.0", method: name, ...(params === undefined ? {} : { params }) }),
      ask(name, params) {
        const id = `ref-${++asked}`;
        return new Promise((resolve) => {
          session.waiting.set(id, resolve);
          link.send({ jsonrpc: "2.0", id, method: name, ...(params === undefined ? {} : { params }) });
        });
      },
      visit: async (url) => (await fetch(url)).text(),
      die: link.die,
      cancelled: new Promise((resolve) => {
        if (message.id === undefined) return;
        session.running.set(message.id, () => {
          cancelled.yes = true;
          resolve();
        });
      }),
    };
  }

  return {
    world,
    rules,
    bends,
    serve,
    session: (id) => ({
      id,
      protocolVersion: "2025-11-25",
      capabilities: {},
      memory: new Map(),
      waiting: new Map(),
      running: new Map(),
    }),
    gate(request, die) {
      for (const how of bends.gates) {
        const plan = how(request, die);
        if (plan !== undefined) return plan;
      }
      return undefined;
    },
    plan: (plan, request) => bends.plans.reduce((now, how) => how(now, request) ?? now, plan),
  };
}

// --- internal ---

async function answerTo(handler: Handler | undefined, method: string, serving: Serving): Promise<Answer | undefined> {
  if (handler === undefined) return { error: { code: -32601, message: `method not found: ${method}` } };
  return handler(serving);
}

function noticed({ method, params, broadcast }: Serving, session: RefSession, { bare }: World): void {
  if (method === "notifications/cancelled") session.running.get(params["requestId"])?.();
  // It declares listChanged, so a client may be told at any time; saying so once keeps clients honest.
  if (method === "notifications/initialized" && bare !== true) broadcast("notifications/tools/list_changed");
}
