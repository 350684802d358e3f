import type { Exchange } from "../../model/exchange.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { RawHttp, Server } from "../../model/session.ts";
import { settled } from "../_refusal.ts";

/** The params of initialize, by which the older revisions open a session. */
export const initializing = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: "mcp-assay", version: "1" },
});

/** Opens as a client of the older revisions does, on a connection or in a process that has seen nothing else. */
export async function initialize(server: Server & RawHttp, version: string): Promise<Exchange> {
  const id: Json = server.compose()["id"] ?? 0;
  const message: JsonObject = { jsonrpc: "2.0", id, method: "initialize", params: initializing(version) };
  const exchange =
    server.transport === "stdio"
      ? await (await server.open({ bare: true })).say(message, { id })
      : await server.http({ frame: "sessionless", body: JSON.stringify(message), id });
  return settled(exchange);
}
