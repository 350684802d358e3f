import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { mediaType } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { jsonPage, onMethod, page } from "../_bends.ts";
import { sight } from "../_sight.ts";

/** Checks whose ping is without a reply that they could find. */
const PINGED = [
  "lifecycle-init",
  "lifecycle-ping",
  "lifecycle-id-match",
  "lifecycle-string-id",
  "lifecycle-jsonrpc",
  "lifecycle-meta-tolerance",
  "lifecycle-reinit-reject",
  "lifecycle-cancellation",
  "lifecycle-progress",
  "lifecycle-roots-capability",
  "transport-concurrent",
  "security-oversized-input",
];

export default defineCheck({
  id: "transport-content-type",
  title: "A request is answered as application/json or as text/event-stream",
  why: "A client picks its parser by the Content-Type; with any other type, or a body that does not fit, the answer is lost.",
  fix: "Answer a request with Content-Type application/json and one JSON object, or with text/event-stream and the response as an event.",
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault(
      "answers requests as text/plain",
      onMethod("ping", ({ status, body }) => page(status, body, "text/plain")),
    ),
    fault(
      "answers requests without a Content-Type",
      onMethod("ping", ({ status, body }) => page(status, body, "")),
    ),
    fault(
      "answers requests with an HTML page",
      onMethod("ping", () => page(200, "<h1>pong</h1>")),
      { alsoFails: PINGED },
    ),
    fault(
      "wraps each answer in an array",
      onMethod("ping", ({ body = "" }) => jsonPage(200, [JSON.parse(body)])),
      { alsoFails: PINGED },
    ),
    fault(
      "calls a body JSON that is none",
      onMethod("ping", () => page(200, "pong", "application/json")),
      { alsoFails: PINGED },
    ),
    fault(
      "calls a JSON body an event stream",
      onMethod("ping", ({ status, body }) => page(status, body, "text/event-stream")),
      { alsoFails: PINGED },
    ),
  ],
  async run(_, server) {
    const exchange = await server.attributed(await server.control());
    const type = mediaType(exchange.http);
    if (type !== "application/json" && type !== "text/event-stream") {
      return fail("application/json or text/event-stream", type === "" ? "no Content-Type" : type, exchange);
    }
    if (exchange.reply !== undefined) return pass(`${type} with the response`, undefined, exchange);
    const array = exchange.received.some(({ json }) => Array.isArray(json));
    return fail(`the response in a body of ${type}`, array ? "an array" : sight(exchange), exchange);
  },
});
