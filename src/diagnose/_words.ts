import { type Exchange, mediaType } from "../model/exchange.ts";
import { isMessage } from "./talk.ts";

/** An answer in a few words. */
export function wordsOf({ http, received, reply, cause, end, ms }: Exchange): string {
  const what = reply?.result !== undefined ? "a result" : reply?.error !== undefined ? "a JSON-RPC error" : undefined;
  if (http === undefined) {
    if (what !== undefined) return what;
    if (end === "timeout") return `nothing within ${Math.round(ms)} ms`;
    return received.length > 0 ? "a line that is no answer" : (cause ?? end);
  }
  if (what !== undefined) return `HTTP ${http.status} with ${what}`;
  if (received.some(isMessage)) return `HTTP ${http.status} with a JSON-RPC message`;
  const type = mediaType(http);
  return `HTTP ${http.status}${type === "" ? "" : ` with ${type}`}${end === "timeout" ? ", not ended in time" : ""}`;
}
