import * as v from "valibot";
import { opening } from "../../facts/opening.ts";
import type { Bendable, HttpPlan } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import type { JsonObject } from "../../model/json.ts";
import { fail, type Outcome, pass, worst } from "../../model/outcome.ts";
import { jsonPage, onMethod, page } from "../_bends.ts";
import { isRefusal } from "../_refusal.ts";
import { sight } from "../_sight.ts";

/** Each notification that a row may name, and what it says; `initialized` is read from the opening. */
const SAID: Readonly<Record<string, (id: string) => JsonObject>> = {
  "notifications/cancelled": (requestId) => ({ requestId, reason: "a request that was never made" }),
};

export default defineCheck({
  id: "transport-notification-202",
  title: "An accepted notification is answered with 202 and no body",
  why: "A client that finds a body where none may be parses it as an answer; several drop the connection during the handshake.",
  fix: "Answer a POST that carries a notification with HTTP 202 and write no body at all, not even null or a word.",
  snippet: [
    '-> {"jsonrpc":"2.0","method":"notifications/initialized"}',
    "<- HTTP/1.1 202 Accepted",
    "   Content-Length: 0",
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  params: v.object({ notifications: v.array(v.string()), refusal: v.picklist(["fail", "note"]) }),
  faults: [
    fault(
      "answers notifications with 200 and null",
      onNotification(() => jsonPage(200, null)),
    ),
    fault(
      "answers notifications with 204",
      onNotification(() => page(204, "", "")),
    ),
    fault(
      "answers notifications with 200 and no body",
      onNotification(() => page(200, "", "")),
    ),
    fault(
      "puts a word into the body of its 202",
      onNotification(() => page(202, "Accepted", "text/plain")),
    ),
    fault(
      "refuses notifications/initialized",
      onMethod("notifications/initialized", () => page(400, "what?", "text/plain")),
      { only: "2025-11-25" },
    ),
    fault(
      "does not know notifications/cancelled",
      onMethod("notifications/cancelled", () => page(404, "", "")),
      { only: "2025-11-25", alsoFails: ["lifecycle-cancellation"] },
    ),
    fault(
      "breaks down on notifications/cancelled",
      onMethod("notifications/cancelled", () => page(500, "no such request")),
      { alsoFails: ["lifecycle-cancellation"] },
    ),
    fault(
      "answers notifications/cancelled with an error without an id",
      (server) =>
        server.after("notifications/cancelled", ({ send }) =>
          send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown method" } }),
        ),
      { alsoFails: ["lifecycle-jsonrpc", "lifecycle-id-match", "lifecycle-cancellation"] },
    ),
  ],
  async run({ opening }, server) {
    const { notifications, refusal } = server.params;
    const judge = async (exchange: Exchange): Promise<Outcome> => {
      await server.attributed(exchange);
      if (exchange.http?.status === 202 && exchange.http.bytes === 0)
        return pass("202 without a body", undefined, exchange);
      if (refusal === "note" && isRefusal(exchange)) {
        return pass("a refusal by status", `${sight(exchange)}: the notification was not accepted`, exchange);
      }
      return fail("HTTP 202 without a body", sightOf(exchange), exchange);
    };
    const said: Exchange[] = [];
    for (const method of notifications) {
      const params = SAID[method];
      if (params !== undefined) said.push(await server.notify(method, params(server.unique())));
      else if (opening.initialized !== undefined) said.push(opening.initialized);
    }
    const [first, ...rest] = said;
    if (first === undefined) throw new TypeError(`the row names no notification that can be sent: ${notifications}`);
    const outcome = await judge(first);
    return worst(outcome, ...(await Promise.all(rest.map(judge))));
  },
});

// --- internal ---

/** What came, with the status said even where it is 200. */
function sightOf({ http }: Exchange): string {
  if (http === undefined) return "no HTTP response";
  return `HTTP ${http.status} with ${http.bytes === 0 ? "no" : `${http.bytes} bytes of`} body`;
}

function onNotification(how: () => HttpPlan): (server: Bendable) => void {
  return (server) => server.http((plan) => (plan.status === 202 ? how() : plan));
}
