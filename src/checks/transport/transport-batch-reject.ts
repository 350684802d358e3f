import { opening } from "../../facts/opening.ts";
import type { Bendable, HttpPlan, HttpRequestView } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject } from "../../model/json.ts";
import { fail } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { errorPage, jsonPage, page } from "../_bends.ts";
import { refusal } from "../_refusal.ts";

/** Checks that find too little in the results of these faults. */
const EMPTY = { alsoFails: ["schema-result-type", "schema-wire-valid"] };

export default defineCheck({
  id: "transport-batch-reject",
  title: "A batch of requests is refused",
  why: "Since 2025-06-18 a POST carries one message; a server that takes arrays offers a way around checks of single messages.",
  fix: "Answer a body that is a JSON array with HTTP 400 and one JSON-RPC error -32600.",
  snippet: [
    '-> [{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","error":{"code":-32600,"message":"Batches are not supported"}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault("answers each request of a batch", (server) => {
      server.rules.batch = "answer";
    }),
    fault("accepts a batch and answers nothing", (server) => {
      server.rules.batch = "accept";
    }),
    fault(
      "answers the first request of a batch",
      onBatch(({ json }) => jsonPage(200, { jsonrpc: "2.0", id: at(json, 0, "id"), result: {} })),
      EMPTY,
    ),
    fault(
      "answers a batch with an event stream of results",
      onBatch(({ json }) => {
        const blocks = (Array.isArray(json) ? json : []).map(
          (each) => `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: at(each, "id"), result: {} })}\n\n`,
        );
        return page(200, blocks.join(""), "text/event-stream");
      }),
      EMPTY,
    ),
    fault(
      "answers a batch with an array of errors",
      onBatch(() =>
        jsonPage(
          200,
          [1, 2].map(() => ({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no batches" } })),
        ),
      ),
    ),
    fault(
      "refuses a batch with 400 and an array of errors",
      onBatch(() => jsonPage(400, [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no batches" } }])),
    ),
    fault(
      "breaks down on a batch",
      onBatch(() => page(500, "cannot read properties of undefined")),
    ),
    fault(
      "answers a batch with 500 and an internal error",
      onBatch(() => errorPage(500, -32603)),
    ),
    fault(
      "redirects a batch",
      onBatch(() => ({ status: 307, headers: [["Location", "/batch"]] })),
    ),
  ],
  async run(_, server) {
    const control = await server.control();
    const [first, last] = [server.unique(), server.unique()];
    const body = JSON.stringify([first, last].map((id) => ({ ...control.request, id })));
    const exchange = await server.http({ body, id: last, like: server.compose() });
    const answers = exchange.received.flatMap(({ message, json }) =>
      Array.isArray(json) ? json : message === undefined ? [] : [message],
    );
    const results = answers.filter((each) => isObject(each) && each["result"] !== undefined).length;
    if (results > 0) return fail("a refusal of the batch", count(results, "result"), exchange);
    const errors = answers.filter((each) => isObject(each) && each["error"] !== undefined).length;
    const wrapped = exchange.received.some(({ json }) => Array.isArray(json));
    if (wrapped || errors > 1) {
      await server.attributed(exchange, { codes: [-32600] });
      return fail("one error for the batch", wrapped ? "an array of answers" : count(errors, "error"), exchange);
    }
    return refusal(server, exchange, "the batch", [-32600]);
  },
});

// --- internal ---

function onBatch(how: (request: HttpRequestView) => HttpPlan): (server: Bendable) => void {
  return (server) => server.gate((request) => (Array.isArray(request.json) ? how(request) : undefined));
}
