import { walk } from "../../facts/lists.ts";
import { type Call, isReadOnly, safest, type Tool } from "../../facts/tools.ts";
import type { Exchange, Received, Transcript } from "../../model/exchange.ts";
import { at, type JsonObject } from "../../model/json.ts";
import { isRequest, resultOf } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { sampleArguments } from "../../schema/sample.ts";
import { shapesOf } from "../../schema/shapes.ts";
import { sight } from "../_sight.ts";

/** What a server may ask of its client, and what it needs for that. */
export interface Question {
  readonly method: string;
  readonly capability: string;
  /** Words of tools that ask it. */
  readonly topic: RegExp;
}

/** A request of the server, and the exchange during which it came. */
export interface Asked {
  readonly params: unknown;
  readonly exchange: Exchange;
  /** It came beside the answer, on the stream that a GET opened or as a line of its own. */
  readonly apart: boolean;
}

/** A session in which tools were called, and what the server asked meanwhile. */
export interface Talk {
  readonly session: Server;
  readonly negotiated: string;
  readonly asked: readonly Asked[];
}

const CALLS = 10;
/** Milliseconds that the calls of one session may take before no further tool is called: some take seconds each. */
const BUDGET = 30_000;

/** Opens a session with these capabilities, calls tools that do no harm, and answers what the server asks. */
export async function talk(
  server: Server,
  { method, topic }: Question,
  capabilities: JsonObject,
  others: readonly Tool[] = [],
): Promise<Talk> {
  const session = await server.open({ capabilities, listen: true });
  const opened = await session.opened();
  const asked: Asked[] = [];
  let known = 0;
  const gather = (exchange: Exchange): boolean => {
    const heard = session.heard();
    const fresh = [...exchange.received, ...heard.slice(known)].filter(
      ({ message }) => message !== undefined && isRequest(message) && message.method === method,
    );
    known = heard.length;
    const apart = (each: Received) => !exchange.received.includes(each);
    asked.push(...fresh.map((each) => ({ params: each.message?.params, exchange, apart: apart(each) })));
    return fresh.length > 0;
  };
  gather(await session.attributed(await session.control(), { codes: "any" }));
  const declares = at(resultOf(opened.exchange.reply), "capabilities", "tools") !== undefined;
  let spent = 0;
  for (const tool of declares ? await chosen(session, topic, others) : []) {
    if (spent > BUDGET) break;
    const { args } = sampleArguments(tool.inputSchema);
    const exchange = await session.send("tools/call", { name: tool.name, arguments: args });
    spent += exchange.ms;
    // What asked has to come to an end; whether the other tools do is not the question here.
    if (gather(exchange)) await session.attributed(exchange, { codes: "any" });
    if (exchange.end !== "reply" && exchange.end !== "complete") break;
  }
  gather(await session.control());
  return { session, negotiated: opened.negotiated ?? "", asked };
}

/** A complaint about requests that came in a session whose client declared nothing. */
export function undeclared({ method, capability }: Question, { asked }: Talk): Outcome | undefined {
  const first = asked[0];
  if (first === undefined) return undefined;
  const actual = first.apart ? `${method}, which came beside this answer` : method;
  return fail(`no ${method} where the client did not declare ${capability}`, actual, first.exchange);
}

/** A complaint about requests that came in a session whose client could answer them. */
export function misasked({ method }: Question, { asked, negotiated }: Talk): Outcome | undefined {
  const shape = shapesOf(negotiated).request(method);
  for (const { params, exchange } of asked) {
    const found = shape?.(params, "");
    if (found !== undefined) {
      return fail(`${found.expected} at ${found.path || "/"} of ${method}`, found.actual, exchange);
    }
    const called = exchange.request?.method === "tools/call";
    if (called && exchange.reply === undefined) {
      return fail(`an end of the call after the answer to ${method}`, sight(exchange), exchange);
    }
  }
  return undefined;
}

/** Judges all sessions of the run whose client had not declared the capability. */
export function unasked({ method, capability }: Question, transcript: Transcript): Outcome {
  const declared = new Map<number, unknown>();
  for (const { session, request } of transcript) {
    if (request?.method === "initialize" && !declared.has(session)) {
      declared.set(session, at(request.params, "capabilities", capability));
    }
  }
  const asks = ({ message }: Received) => message !== undefined && isRequest(message) && message.method === method;
  const asking = transcript.filter(({ received }) => received.some(asks));
  const bad = asking.find(({ session }) => declared.has(session) && declared.get(session) === undefined);
  if (bad !== undefined) return fail(`no ${method} where the client did not declare ${capability}`, method, bad);
  return asking.length === 0
    ? skipped(`the server never sends ${method}`)
    : pass(`${method} only where the client declared ${capability}`);
}

/** Tools that only read and were answered soon: worth another call in each session. */
export const quick = (calls: readonly Call[]): readonly Tool[] =>
  calls.filter(({ tool, exchange }) => isReadOnly(tool) && exchange.ms <= SLOW).map(({ tool }) => tool);

// --- internal ---

const SLOW = 2000;

/** The tools that speak of the question, then the others that are there; ten at most. */
async function chosen(session: Server, topic: RegExp, others: readonly Tool[]): Promise<readonly Tool[]> {
  const { pages } = await walk(session, "tools/list", "tools");
  const tools = safest(pages.flatMap(({ items }): readonly unknown[] => (Array.isArray(items) ? items : [])));
  const speaks = ({ name, description }: Tool) => topic.test(`${words(name)} ${description}`);
  const names = new Set(others.map(({ name }) => name));
  return [...tools.filter(speaks), ...tools.filter((tool) => !speaks(tool) && names.has(tool.name))].slice(0, CALLS);
}

/** The words of a name such as show_roots or askUser. */
const words = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[^a-z\d]+/gi, " ");
