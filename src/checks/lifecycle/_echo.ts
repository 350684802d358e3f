import type { Exchange } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { isResponse } from "../../model/message.ts";
import type { Server } from "../../model/session.ts";

/** What came for a request with this id: where its response did not, in words what did. */
export async function echoed(
  server: Server,
  method: string,
  id: Json,
): Promise<{ readonly exchange: Exchange; readonly answer?: string }> {
  const known = server.heard().length;
  const exchange = await server.send(method, undefined, { id });
  if (exchange.reply !== undefined) return { exchange: await server.attributed(exchange, { codes: "any" }) };
  const other = [...exchange.received, ...server.heard().slice(known)].find(
    ({ message }) => message !== undefined && isResponse(message),
  );
  if (other !== undefined && (exchange.http?.status ?? 200) < 400) {
    return { exchange, answer: other.message?.id === undefined ? "no id" : `the id ${shown(other.message.id)}` };
  }
  return { exchange: await server.attributed(exchange, { codes: "any" }), answer: "no response" };
}

/** An id as it stands on the wire, cut where it is long. */
export const shown = (id: unknown): string => (JSON.stringify(id) ?? "none").slice(0, 60);
