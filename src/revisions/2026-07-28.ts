import { parse } from "valibot";
import rows from "../../catalogs/2026-07-28.json" with { type: "json" };
import { CatalogSchema } from "../model/catalog.ts";
import type { Exchange, Header } from "../model/exchange.ts";
import { at, isObject, type JsonObject } from "../model/json.ts";
import { type Message, resultOf } from "../model/message.ts";
import { headerValue } from "./header-value.ts";
import { refusalOf } from "./refusal.ts";
import { type OpeningReply, type ParamHeaders, READING, type Revision, type SessionState } from "./revision.ts";

const VERSION = "2026-07-28";
const OWN = "io.modelcontextprotocol";

/** Revision 2026-07-28: no sessions; each request says by itself who asks and in which revision. */
export const revision20260728: Revision = {
  id: VERSION,
  catalog: parse(CatalogSchema, rows),
  opening: () => ({ method: "server/discover", params: {} }),
  readOpening(exchange: Exchange): OpeningReply {
    const result = resultOf(exchange.reply);
    return isObject(result) ? { negotiated: VERSION } : { refusal: refusalOf("server/discover", exchange) };
  },
  stamp,
  frame,
  observe,
  listens: false,
  subscription: {
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } },
  },
  control: "server/discover",
  readOnly: new Set(["server/discover", ...READING]),
  // Section basic/patterns/mrtr: servers ask by input_required results, never by requests of their own.
  answer: (request) => ({
    error: { code: -32601, message: `servers send no requests in ${VERSION}: ${String(request.method)}` },
  }),
};

// --- internal ---

/** Section basic/index#meta: the members that every request carries in params._meta. */
function stamp(message: JsonObject, { capabilities }: SessionState): JsonObject {
  if (typeof message["method"] !== "string") return message;
  const params = isJson(message["params"]) ? message["params"] : {};
  const given = isJson(params["_meta"]) ? params["_meta"] : {};
  return {
    ...message,
    params: {
      ...params,
      _meta: {
        [`${OWN}/protocolVersion`]: VERSION,
        [`${OWN}/clientInfo`]: { name: "mcp-assay", version: "1" },
        [`${OWN}/clientCapabilities`]: capabilities,
        ...given,
      },
    },
  };
}

const isJson = (value: unknown): value is JsonObject => isObject(value);

/** Section basic/transports/streamable-http#request-headers. */
function frame(_: SessionState, message: unknown, params: ParamHeaders): readonly Header[] {
  const method = at(message, "method");
  const version = at(message, "params", "_meta", `${OWN}/protocolVersion`);
  if (typeof method !== "string") return [["MCP-Protocol-Version", VERSION]];
  return [
    ["MCP-Protocol-Version", typeof version === "string" ? version : VERSION],
    ["Mcp-Method", method],
    ...nameHeader(method, message),
    ...(method === "tools/call" ? paramHeaders(message, params) : []),
  ];
}

const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

function nameHeader(method: string, message: unknown): readonly Header[] {
  const member = NAMED[method];
  const name = member === undefined ? undefined : at(message, "params", member);
  return typeof name === "string" ? [["Mcp-Name", headerValue(name)]] : [];
}

function paramHeaders(message: unknown, params: ParamHeaders): readonly Header[] {
  const wanted = params.get(String(at(message, "params", "name"))) ?? [];
  return wanted.flatMap(({ argument, header }): readonly Header[] => {
    const value = at(message, "params", "arguments", argument);
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return plain ? [[`Mcp-Param-${header}`, headerValue(String(value))]] : [];
  });
}

/** Learns from tools/list which arguments a tool wants in headers (x-mcp-header). */
function observe(request: Message | undefined, result: unknown, params: ParamHeaders): void {
  const tools = request?.method === "tools/list" ? at(result, "tools") : undefined;
  if (!Array.isArray(tools)) return;
  for (const tool of tools) {
    const name = at(tool, "name");
    const properties = at(tool, "inputSchema", "properties");
    if (typeof name !== "string" || !isObject(properties)) continue;
    params.set(
      name,
      Object.entries(properties).flatMap(([argument, schema]) => {
        const header = at(schema, "x-mcp-header");
        return typeof header === "string" ? [{ argument, header }] : [];
      }),
    );
  }
}
