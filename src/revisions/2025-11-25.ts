import { parse } from "valibot";
import rows from "../../catalogs/2025-11-25.json" with { type: "json" };
import { CatalogSchema } from "../model/catalog.ts";
import { header } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { answerAsClient } from "./client.ts";
import { refusalOf } from "./refusal.ts";
import { type OpeningReply, READING, type Revision } from "./revision.ts";

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
    return isObject(result) ? state : { ...state, refusal: refusalOf("initialize", exchange) };
  },
  opened: "notifications/initialized",
  stamp: (message) => message,
  observe() {},
  listens: true,
  frame: ({ sessionId, negotiated }) => [
    ...(sessionId === undefined ? [] : [["MCP-Session-Id", sessionId] as const]),
    ...(negotiated === undefined ? [] : [["MCP-Protocol-Version", negotiated] as const]),
  ],
  control: "ping",
  readOnly: new Set(["ping", ...READING]),
  answer: answerAsClient,
};
