import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, mediaType } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { blocked, fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { jsonPage, onControl, onMethod, page } from "../_bends.ts";
import { sight } from "../_sight.ts";

/** Checks whose control request, in 2026-07-28 the opening too, is without a reply that they could find. */
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
  "transport-post",
  "lifecycle-discover",
  "schema-wire-valid",
];

export default defineCheck({
  id: "transport-content-type",
  title: "A request is answered as application/json or as text/event-stream",
  why: "A client picks its parser by the Content-Type; with any other type, or a body that does not fit, the answer is lost.",
  fix: "Answer a request with Content-Type application/json and one JSON object, or with text/event-stream and the response as an event.",
  snippet: [
    "<- HTTP/1.1 200 OK",
    "   Content-Type: application/json",
    '   {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opened },
  faults: [
    fault(
      "answers requests as text/plain",
      onControl(({ status, body }) => page(status, body, "text/plain")),
    ),
    fault(
      "answers requests without a Content-Type",
      onControl(({ status, body }) => page(status, body, "")),
    ),
    fault(
      "answers the calls of tools as text/plain",
      onMethod("tools/call", ({ status, body }) => page(status, body, "text/plain")),
      { world: { json: true }, only: "2025-11-25" },
    ),
    fault(
      "answers requests with an HTML page",
      onControl(() => page(200, "<h1>pong</h1>")),
      { alsoFails: PINGED },
    ),
    fault(
      "wraps each answer in an array",
      onControl(({ body = "" }) => jsonPage(200, [JSON.parse(body)])),
      { alsoFails: PINGED },
    ),
    fault(
      "calls a body JSON that is none",
      onControl(() => page(200, "pong", "application/json")),
      { alsoFails: PINGED },
    ),
    fault(
      "calls a JSON body an event stream",
      onControl(({ status, body }) => page(status, body, "text/event-stream")),
      { alsoFails: PINGED },
    ),
  ],
  async run({ opened }, server) {
    // Where the opening is the control request itself, nothing more can be asked once it can't be read.
    const same = opened.exchange.request?.method === server.compose()["method"];
    if (opened.refusal !== undefined && !(same && isRead(opened.exchange))) {
      return blocked(opened.refusal, "opening", opened.exchange);
    }
    const exchange = opened.refusal === undefined ? await server.attributed(await server.control()) : opened.exchange;
    const type = mediaType(exchange.http);
    if (!TYPES.has(type)) {
      return fail("application/json or text/event-stream", type === "" ? "no Content-Type" : type, exchange);
    }
    if (exchange.reply !== undefined) return pass(`${type} with the response`, undefined, exchange);
    const array = exchange.received.some(({ json }) => Array.isArray(json));
    return fail(`the response in a body of ${type}`, array ? "an array" : sight(exchange), exchange);
  },
  /** All other answers to requests; that to initialize has a row of its own. */
  review(transcript) {
    const answers = transcript.filter(
      ({ request, reply, http }) =>
        request !== undefined && request.method !== "initialize" && reply !== undefined && (http?.status ?? 500) < 300,
    );
    const bad = answers.find(({ http }) => !TYPES.has(mediaType(http)));
    if (bad === undefined) return pass(`${count(answers.length, "answer")} as application/json or text/event-stream`);
    const type = mediaType(bad.http) || "no Content-Type";
    return fail(`application/json or text/event-stream for ${bad.request?.method}`, type, bad);
  },
});

// --- internal ---

const TYPES: ReadonlySet<string> = new Set(["application/json", "text/event-stream"]);

/** Whether a body came with a status of success: what else it is, is for other rows to judge. */
const isRead = ({ http }: Exchange): boolean => http !== undefined && http.status < 300 && http.bytes > 0;
