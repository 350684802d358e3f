import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { resultOf } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";
import { payload } from "./_empty.ts";

export default defineCheck({
  id: "lifecycle-ping",
  title: "ping is answered with an empty result",
  why: "Clients ping to learn whether the server is alive; an error or silence makes them close the connection.",
  fix: 'Answer ping at once with "result": {}, in any state of the session.',
  snippet: ['-> {"jsonrpc":"2.0","id":7,"method":"ping"}', '<- {"jsonrpc":"2.0","id":7,"result":{}}'],
  effect: "shared",
  needs: { opening },
  faults: [
    fault(
      "does not know ping",
      (server) => server.answer("ping", () => ({ error: { code: -32601, message: "method not found" } })),
      { alsoFails: ["stdio-unknown-method-recovers", "transport-concurrent"] },
    ),
    fault("answers ping with its uptime", (server) => server.answer("ping", () => ({ result: { uptime: 1 } }))),
    fault("answers ping with a text", (server) => server.answer("ping", () => ({ result: "pong" }))),
    fault("answers ping with null", (server) => server.answer("ping", () => ({ result: null }))),
  ],
  async run(_, server) {
    const exchange = await server.request("ping");
    const result = resultOf(exchange.reply);
    if (result === undefined) return fail("an empty result", sight(exchange), exchange);
    const found = payload(result);
    return found === undefined
      ? pass(`an empty result after ${Math.round(exchange.ms)} ms`, undefined, exchange)
      : fail("an empty result", found, exchange);
  },
});
