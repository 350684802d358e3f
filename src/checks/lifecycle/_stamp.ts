import type { Bendable, Serving } from "../../model/bendable.ts";
import type { Exchange } from "../../model/exchange.ts";
import { at, isObject, type Json, type JsonObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { RawHttp, Server, Session } from "../../model/session.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";
import { initialize } from "./_era.ts";

/** A member of params._meta that the protocol itself defines. */
export const own = (member: string): string => `io.modelcontextprotocol/${member}`;

/** Sends the control request without one member of its _meta, or without all of it. The headers stay as they are. */
export async function sendWithout(server: Server, member?: string): Promise<Exchange> {
  const message = server.compose();
  const id: Json = message["id"] ?? null;
  const params: JsonObject = member === undefined ? {} : { _meta: lacking(at(message, "params", "_meta"), member) };
  return settled(await server.say({ ...message, params }, { id }));
}

/**
 * Has one request of this revision served, so that a process which speaks the older ones, too, can't take what comes
 * next for theirs. server/discover alone settles nothing there.
 */
export async function pinned(server: Session, capabilities: { readonly [key: string]: unknown }): Promise<void> {
  if (server.transport !== "stdio") return;
  const listed = ["tools", "prompts", "resources"].find((name) => isObject(capabilities[name]));
  await server.send(listed === undefined ? `nonexistent/${PIN}` : `${listed}/list`);
}

/** Judges the answer to a request that lacks a required member: -32602, over HTTP with status 400. */
export async function refusedAsInvalid(server: Server, probe: Exchange, what: string): Promise<Outcome> {
  const exchange = await server.attributed(probe, { codes: [INVALID] });
  const status = exchange.http?.status;
  const right = rpcError(exchange.reply)?.code === INVALID && (status === undefined || status === 400);
  return right
    ? pass(sight(exchange), undefined, exchange)
    : fail(`error ${INVALID}${status === undefined ? "" : " (HTTP 400)"} for ${what}`, withStatus(exchange), exchange);
}

/**
 * As refusedAsInvalid, for requests that don't say their version. Over stdio nothing else claims one: a process that
 * speaks both eras may read each such request as one of the older revisions, where server/discover is no method.
 */
export async function refusedAsClaimless(server: Server & RawHttp, member?: string): Promise<Outcome> {
  const probe = await sendWithout(server, member);
  const what = `a request without ${member ?? "_meta"}`;
  if (server.transport !== "stdio" || rpcError(probe.reply)?.code !== NO_METHOD)
    return refusedAsInvalid(server, probe, what);
  const opening = await initialize(server, LEGACY);
  if (!isObject(resultOf(opening.reply))) return refusedAsInvalid(server, probe, what);
  return skipped(`the server is dual-era and takes ${what} for one of the older revisions`);
}

/** What came back, its status told even where that is 200. */
export function withStatus(exchange: Exchange): string {
  const told = sight(exchange);
  return exchange.http?.status === 200 && !told.includes("HTTP") ? `${told} (HTTP 200)` : told;
}

/** A bend of the errors for requests that lack the member (or all of _meta); what else is said to them stays. */
export const refusing =
  (member: string | undefined, how: (reply: object, serving: Serving) => unknown) => (server: Bendable) =>
    server.reply((reply, serving) =>
      lacks(serving.params, member) && reply.error !== undefined ? how(reply, serving) : reply,
    );

/** The same error with another code. */
export const withCode = (member: string | undefined, code: number) =>
  refusing(member, (reply) => ({ ...reply, error: { code, message: "no" } }));

/** The same answer with another HTTP status. */
export const withHttp = (member: string | undefined, status: number) => (server: Bendable) =>
  server.http((plan, { json }) => {
    const params = at(json, "params");
    return at(json, "id") !== undefined && lacks(params, member) ? { ...plan, status } : plan;
  });

// --- internal ---

const INVALID = -32602;
const NO_METHOD = -32601;
const LEGACY = "2025-11-25";
const PIN = "assay-pin";

/** Whether it is this member that is missing: of a whole _meta none is. */
function lacks(params: unknown, member: string | undefined): boolean {
  const meta = at(params, "_meta");
  return member === undefined ? meta === undefined : isObject(meta) && meta[own(member)] === undefined;
}

function lacking(meta: unknown, member: string): JsonObject {
  const found: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(isJson(meta) ? meta : {})) if (key !== own(member)) found[key] = value;
  return found;
}

const isJson = (value: unknown): value is JsonObject => isObject(value);
