import type { Exchange } from "../model/exchange.ts";
import { mediaType } from "../model/exchange.ts";
import { rpcError } from "../model/message.ts";

/** What came back, as a noun phrase for `actual`. */
export function sight(exchange: Exchange): string {
  const { reply, http, received, end } = exchange;
  const status = http === undefined || http.status === 200 ? "" : ` (HTTP ${http.status})`;
  const error = rpcError(reply);
  if (error !== undefined) return `error ${error.code}${status}`;
  if (reply !== undefined)
    return reply.result === undefined ? `an error without its shape${status}` : `a result${status}`;
  if (end === "closed") return "an end of the connection";
  if (http === undefined) return end === "timeout" ? "no reply" : received.length > 0 ? "another message" : "nothing";
  if (http.bytes === 0) return `HTTP ${http.status} without a body`;
  const message = received.find((each) => each.message?.jsonrpc !== undefined)?.message;
  const whose = message?.id === undefined ? "a message without an id" : "a message of another id";
  return `HTTP ${http.status} with ${message !== undefined ? whose : mediaType(http) || "an untyped body"}`;
}
