import { opening } from "../../facts/opening.ts";
import type { Bendable, HttpPlan } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, mediaType } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import { errorPage, jsonPage, onHttp, page } from "../_bends.ts";
import { inTheWay, occupied } from "./_stream.ts";

const ALSO = { alsoFails: ["transport-get-stream"] };

export default defineCheck({
  id: "transport-get",
  title: "GET on the endpoint opens an event stream or answers 405",
  why: "Clients try a GET after the handshake; on anything but a stream or 405 some try again without end.",
  fix: "Answer GET with Accept: text/event-stream either by HTTP 200 and text/event-stream, headers flushed at once, or by HTTP 405.",
  snippet: ["-> GET /mcp", "   Accept: text/event-stream", "<- HTTP/1.1 405 Method Not Allowed", "   Allow: POST"],
  effect: "own",
  uses: "http",
  needs: { opening },
  faults: [
    fault("answers GET with 404", onHttp("GET", page(404, "Cannot GET /mcp")), ALSO),
    fault("answers GET with 400", onHttp("GET", errorPage(400, -32000)), ALSO),
    fault("answers GET with 406", onHttp("GET", errorPage(406, -32000)), ALSO),
    fault("answers GET with a page for people", instead(page(200, "<h1>An MCP server</h1>")), ALSO),
    fault("answers GET with JSON", instead(jsonPage(200, { name: "reference" })), ALSO),
    fault("redirects GET", onHttp("GET", { status: 302, headers: [["Location", "/"]] }), ALSO),
    fault("breaks down on GET", onHttp("GET", page(500, "no body")), ALSO),
  ],
  async run(_, server) {
    const exchange = await server.attributed(await server.http({ method: "GET", headersOnly: true }));
    return exchange.http?.status === 409 ? occupied : judged(exchange);
  },
  review(transcript) {
    const exchange = inTheWay(transcript, "transport-get");
    return exchange === undefined ? skipped("nothing was in the way") : judged(exchange);
  },
});

// --- internal ---

function judged(exchange: Exchange): Outcome {
  const status = exchange.http?.status;
  if (status === 405) return pass("HTTP 405: it offers no stream", undefined, exchange);
  const type = mediaType(exchange.http) || "no Content-Type";
  if (status === 200 && type === "text/event-stream") return pass("a stream of text/event-stream", undefined, exchange);
  return fail("HTTP 200 with text/event-stream, or HTTP 405", `HTTP ${status} with ${type}`, exchange);
}

/** What a GET that would have been given a stream is given. */
function instead(page: HttpPlan): (server: Bendable) => void {
  return (server) => server.http((plan, { method }) => (method === "GET" && plan.stream === true ? page : plan));
}
