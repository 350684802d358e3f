import type { HttpPlan, HttpRequestView } from "../model/bendable.ts";
import { isObject } from "../model/json.ts";
import { isResponse } from "../model/message.ts";
import { NEGOTIATED } from "./answers.ts";
import { challenge } from "./auth.ts";
import { headerProblem } from "./headers.ts";
import { isModern } from "./modern.ts";
import { problem } from "./plan.ts";
import type { Reference, RefSession } from "./server.ts";

/**
 * Why a request to the endpoint is refused, or undefined. In the order of 2025-11-25, basic/transports:
 * origin, credential, method, media types, body, session, protocol version.
 */
export function decide(
  reference: Reference,
  view: HttpRequestView,
  base: string,
  secret: string | undefined,
  sessions: ReadonlyMap<string, RefSession>,
): HttpPlan | undefined {
  const { rules, world } = reference;
  const { headers, method, json } = view;
  const own = new Set([
    base,
    ...["localhost", world.host ?? "localhost"].map((host) => base.replace("127.0.0.1", host)),
  ]);
  if (headers["origin"] !== undefined && !own.has(headers["origin"]) && rules.origin.includes(method)) {
    return problem(rules.originStatus, -32000, "this origin is not allowed");
  }
  if (headers["host"] !== undefined && !own.has(`http://${headers["host"]}`)) {
    return problem(403, -32000, "this host is not allowed");
  }
  if (secret !== undefined && rules.auth.includes(method)) {
    const inSession = !rules.authInSession && sessions.has(headers["mcp-session-id"] ?? "");
    const byQuery = rules.queryToken && view.query.get("access_token") === secret;
    if (headers["authorization"] !== `Bearer ${secret}` && !inSession && !byQuery) return challenge(view, base);
  }
  if (!["POST", "GET", "DELETE"].includes(method)) return notAllowed();
  if (method !== "POST" && world.era === "modern") return notAllowed();
  if (method === "GET" && (world.stateless === true || !rules.get)) return notAllowed();
  if (method === "DELETE" && (world.stateless === true || !rules.delete)) return notAllowed();
  if (method === "POST") {
    const refused = body(reference, view);
    if (refused !== undefined) return refused;
  }
  if (method === "POST" && isObject(json) && isModern(json, world)) return headerProblem(view, json, rules);
  // What is left is a batch that a fault lets through: it knows neither sessions nor the older revisions.
  if (world.era === "modern") return undefined;
  const initialize = isObject(json) && json["method"] === "initialize";
  if (world.stateless !== true && !initialize) {
    const id = headers["mcp-session-id"];
    if (id === undefined && rules.session) return problem(400, -32000, "a session id is needed");
    if (id !== undefined && !sessions.has(id) && rules.unknownSession !== 0) {
      return problem(rules.unknownSession, -32001, "there is no such session");
    }
  }
  const version = headers["mcp-protocol-version"];
  const spoken: readonly string[] = NEGOTIATED;
  if (!initialize && version !== undefined && rules.protocolHeader && !spoken.includes(version)) {
    return problem(400, -32000, `protocol version ${version} is not supported`);
  }
  return undefined;
}

// --- internal ---

const notAllowed = (): HttpPlan => ({ status: 405, headers: [["Allow", "POST, GET, DELETE"]] });

function body({ rules }: Reference, { headers, json }: HttpRequestView): HttpPlan | undefined {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (rules.mediaType && type !== "application/json")
    return problem(415, -32000, "the body has to be application/json");
  if (json === undefined) return problem(400, -32700, "the body is no JSON");
  if (Array.isArray(json))
    return rules.batch === "refuse" ? problem(400, -32600, "batches are not supported") : undefined;
  const message =
    isObject(json) && json["jsonrpc"] === "2.0" && (typeof json["method"] === "string" || isResponse(json));
  return message ? undefined : problem(400, -32600, "the body is no JSON-RPC message");
}
