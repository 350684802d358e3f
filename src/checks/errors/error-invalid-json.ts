import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail } from "../../model/outcome.ts";
import { errorPage, jsonPage, page } from "../_bends.ts";
import { refusal } from "../_refusal.ts";
import { sight } from "../_sight.ts";
import { onUnreadable, TORN } from "./_unreadable.ts";

export default defineCheck({
  id: "error-invalid-json",
  title: "A body that is no JSON is refused and the server goes on serving",
  why: "Requests do arrive cut off; a server that breaks down on one takes all its other clients with it.",
  fix: "Catch the error of your JSON parser and answer HTTP 400 with error -32700 and no id.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"met',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault(
      "answers a torn body with a result",
      onUnreadable(() => jsonPage(200, { jsonrpc: "2.0", id: null, result: {} })),
      { alsoFails: ["error-parse-code", "schema-wire-valid"] },
    ),
    fault(
      "takes a torn body and does nothing",
      onUnreadable(() => page(202, "", "")),
      { alsoFails: ["error-parse-code"] },
    ),
    fault(
      "answers a torn body with an empty page",
      onUnreadable(() => page(200, "", "")),
      { alsoFails: ["error-parse-code"] },
    ),
    fault(
      "breaks down on a torn body",
      onUnreadable(() => page(500, "SyntaxError: Unexpected end of JSON input", "text/plain")),
      { alsoFails: ["error-parse-code"] },
    ),
    fault(
      "answers a torn body with 500 and an internal error",
      onUnreadable(() => errorPage(500, -32603)),
      { alsoFails: ["error-parse-code"] },
    ),
    fault(
      "dies of a torn body",
      (server) =>
        server.gate(({ body }, die) => {
          if (body === TORN) die();
          return undefined;
        }),
      { alsoFails: ["error-parse-code"] },
    ),
    fault("refuses a torn body and dies with the next request", (server) => {
      let torn = false;
      server.gate(({ body }, die) => {
        if (torn) die();
        torn = body === TORN;
        return undefined;
      });
    }),
  ],
  async run(_, server) {
    const exchange = await server.http({ body: TORN, like: server.compose() });
    const outcome = await refusal(server, exchange, "a body that is no JSON", [-32700]);
    const after = await server.control();
    if (after.end === "unreachable" || after.end === "closed") {
      return fail("an answer to the next request", sight(after), exchange, after);
    }
    await server.attributed(after);
    return outcome;
  },
});
