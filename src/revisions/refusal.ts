import { type Exchange, header, mediaType } from "../model/exchange.ts";
import { rpcError } from "../model/message.ts";

/** Why no session came of the opening request, in words. */
export function refusalOf(method: string, exchange: Exchange): string {
  const error = rpcError(exchange.reply);
  const status = exchange.http?.status;
  const on = status === undefined || status === 200 ? "" : ` (HTTP ${status})`;
  if (error !== undefined) return `${method} was answered with error ${error.code}: ${error.message}${on}`;
  if (exchange.reply !== undefined) return `${method} was answered without a result object${on}`;
  if (status === 401) return `${method} was answered with HTTP 401: the server wants a credential it accepts`;
  switch (exchange.end) {
    case "timeout":
      return `${method} was not answered within ${Math.round(exchange.ms)} ms`;
    case "unreachable":
      return `the server can't be reached: ${exchange.cause ?? "no connection"}`;
    case "closed":
      return `the server went away instead of answering ${method}: ${exchange.cause ?? "no reason given"}`;
    default:
      return status === undefined
        ? `${method} was answered with something that is no response to it`
        : `${method} was answered with HTTP ${status} and no response to it${pageIn(exchange)}`;
  }
}

// --- internal ---

/** A web page in the place of an answer is a wrong address more often than a broken server. */
function pageIn(exchange: Exchange): string {
  const type = mediaType(exchange.http);
  const to = header(exchange.http?.headers, "location");
  if (to !== undefined) return `: it redirects to ${to}, which is not followed; is that the endpoint?`;
  return type === "text/html" ? ": it is a web page; is this the MCP endpoint's path?" : "";
}
