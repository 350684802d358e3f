import type { Answer, Draft, Rules, Serving } from "../model/bendable.ts";
import type { World } from "../model/fault.ts";
import { at, isObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";
import { declared, type Handler, invalid } from "./answers.ts";
import type { RefSession } from "./server.ts";

/** The revision whose requests say by themselves who asks. */
export const MODERN = "2026-07-28";
const OWN = "io.modelcontextprotocol";
const SERVER = { name: "mcp-assay-reference", title: "The reference server", version: "1.0.0" };
const CACHEABLE = new Set([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
]);
/** Methods of 2025-11-25 that this revision took out. */
const REMOVED = new Set(["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

export const metaOf = (message: Message, key: string): unknown => at(message.params, "_meta", `${OWN}/${key}`);

/** Whether a message belongs to the modern era: what the world speaks decides, and where it speaks both, the message. */
export function isModern(message: Message, { era = "legacy" }: World): boolean {
  if (era !== "dual") return era === "modern";
  return message.method === "server/discover" || metaOf(message, "protocolVersion") !== undefined;
}

/** Why a modern request is refused before its method is looked at (basic/index#meta, basic/versioning). */
export function metaProblem(message: Message, rules: Rules): Answer | undefined {
  const missing = rules.meta.filter((key) => metaOf(message, key) === undefined);
  if (missing.length > 0) return invalid(`params._meta lacks ${missing.map((key) => `${OWN}/${key}`).join(", ")}`);
  const requested = metaOf(message, "protocolVersion");
  if (requested === MODERN || requested === undefined || !rules.versions) return undefined;
  return {
    error: { code: -32022, message: "unsupported protocol version", data: { supported: [MODERN], requested } },
  };
}

/** How a modern request is answered: by what a fault has set, by this revision's own, or as the older one does. */
export function modernAnswers(
  world: World,
  legacy: ReadonlyMap<string, Handler>,
  bent: ReadonlySet<string>,
): (method: string) => Handler | undefined {
  const own = new Map<string, Handler>([["server/discover", () => ({ result: discovery(world) })]]);
  if (world.bare !== true) own.set("subscriptions/listen", listen);
  return (method) => {
    const gone = method === "initialize" || REMOVED.has(method);
    const handler = bent.has(method)
      ? legacy.get(method)
      : (own.get(method) ?? (gone ? undefined : legacy.get(method)));
    if (handler === undefined) return undefined;
    return async (serving) => modernised(method, await handler(serving));
  };
}

/** What a session object of the older kind is for one modern request. */
export function modernSession(session: RefSession, message: Message): RefSession {
  const declared = metaOf(message, "clientCapabilities");
  return { ...session, protocolVersion: MODERN, capabilities: isObject(declared) ? { ...declared } : {} };
}

/** The HTTP status of an error (basic/transports/streamable-http#status-codes). */
export function statusOf(answer: unknown, problem: boolean): number {
  const code = at(answer, "error", "code");
  if (code === -32601) return 404;
  if (code === -32020 || code === -32021 || code === -32022) return 400;
  return problem ? 400 : 200;
}

// --- internal ---

function discovery({ bare, era }: World): Draft {
  return {
    supportedVersions: era === "dual" ? [MODERN, "2025-11-25"] : [MODERN],
    capabilities: declared(bare),
    ...(bare === true ? {} : { instructions: "Notes to read, and tools that do no harm." }),
  };
}

function modernised(method: string, answer: Answer | undefined): Answer | undefined {
  if (answer === undefined) return undefined;
  if ("error" in answer) {
    // Section server/resources#error-handling: not found is an invalid parameter in this revision.
    return answer.error.code === -32002 ? { error: { ...answer.error, code: -32602 } } : answer;
  }
  if (!isObject(answer.result)) return answer;
  const { needs, ...result } = answer.result;
  if (needs !== undefined) return { error: { code: -32021, message: "the client lacks a capability", data: needs } };
  const complete = result["resultType"] === undefined || result["resultType"] === "complete";
  return {
    result: {
      resultType: "complete",
      ...(CACHEABLE.has(method) && complete ? { ttlMs: 60_000, cacheScope: "public" } : {}),
      ...result,
      _meta: { ...(isObject(result["_meta"]) ? result["_meta"] : {}), [`${OWN}/serverInfo`]: SERVER },
    },
  };
}

/** Section basic/patterns/subscriptions: the acknowledgement comes first, the result when the client has had enough. */
async function listen({ message, params, send, cancelled }: Serving): Promise<Answer> {
  const wanted = params["notifications"];
  if (!isObject(wanted)) return invalid("notifications has to be an object");
  const _meta = { [`${OWN}/subscriptionId`]: message.id };
  const honoured = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== false));
  send({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { _meta, notifications: honoured },
  });
  if (honoured["toolsListChanged"] === true) {
    send({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta } });
  }
  await cancelled;
  return { result: { resultType: "complete", _meta } };
}
