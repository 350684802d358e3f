import { parse } from "valibot";
import rows from "../../catalogs/2025-11-25.json" with { type: "json" };
import { CatalogSchema } from "../model/catalog.ts";
import { type Exchange, header, mediaType } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { resultOf, rpcError } from "../model/message.ts";
import { answerAsClient } from "./client.ts";
import type { OpeningReply, Revision } from "./revision.ts";

/** Revision 2025-11-25: initialize, sessions, ping. */
export const revision20251125: Revision = {
  id: "2025-11-25",
  catalog: parse(CatalogSchema, rows),
  opening: ({ capabilities, protocolVersion = "2025-11-25" }) => ({
    method: "initialize",
    params: { protocolVersion, capabilities, clientInfo: { name: "mcp-assay", version: "1" } },
  }),
  readOpening(exchange): OpeningReply {
    const result = resultOf(exchange.reply);
    const sessionId = header(exchange.http?.headers, "mcp-session-id");
    const negotiated = at(result, "protocolVersion");
    const state = {
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(typeof negotiated === "string" ? { negotiated } : {}),
    };
    return isObject(result) ? state : { ...state, refusal: refusalOf(exchange) };
  },
  opened: "notifications/initialized",
  frame: ({ sessionId, negotiated }) => [
    ...(sessionId === undefined ? [] : [["MCP-Session-Id", sessionId] as const]),
    ...(negotiated === undefined ? [] : [["MCP-Protocol-Version", negotiated] as const]),
  ],
  control: "ping",
  readOnly: new Set([
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
  ]),
  answer: answerAsClient,
};

// --- internal ---

function refusalOf(exchange: Exchange): string {
  const error = rpcError(exchange.reply);
  const status = exchange.http?.status;
  const on = status === undefined || status === 200 ? "" : ` (HTTP ${status})`;
  if (error !== undefined) return `initialize was answered with error ${error.code}: ${error.message}${on}`;
  if (exchange.reply !== undefined) return `initialize was answered without a result object${on}`;
  if (status === 401) return "initialize was answered with HTTP 401: the server wants a credential it accepts";
  switch (exchange.end) {
    case "timeout":
      return `initialize was not answered within ${Math.round(exchange.ms)} ms`;
    case "unreachable":
      return `the server can't be reached: ${exchange.cause ?? "no connection"}`;
    case "closed":
      return `the server went away instead of answering initialize: ${exchange.cause ?? "no reason given"}`;
    default:
      return status === undefined
        ? "initialize was answered with something that is no response to it"
        : `initialize was answered with HTTP ${status} and no response to it${pageIn(exchange)}`;
  }
}

/** A web page in the place of an answer is a wrong address more often than a broken server. */
function pageIn(exchange: Exchange): string {
  const type = mediaType(exchange.http);
  const to = header(exchange.http?.headers, "location");
  if (to !== undefined) return `: it redirects to ${to}, which is not followed; is that the endpoint?`;
  return type === "text/html" ? ": it is a web page; is this the MCP endpoint's path?" : "";
}
