import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { rpcError } from "../../model/message.ts";
import { blocked, fail, pass } from "../../model/outcome.ts";
import { errorPage, page } from "../_bends.ts";
import { isRefusal, settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

export default defineCheck({
  id: "transport-content-type-reject",
  title: "A body that is not declared as JSON is refused, and JSON with a charset is served",
  why: "Browsers may send text/plain across origins unasked, so serving it opens a way in; many HTTP libraries add a charset to JSON.",
  fix: "Compare the media type alone, without parameters and in any case: serve application/json, answer anything else with HTTP 415.",
  snippet: [
    'const type = (request.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();',
    'if (type !== "application/json") return response.writeHead(415).end();',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault("serves a body of text/plain", (server) => {
      server.rules.mediaType = false;
    }),
    fault("breaks down on a body of text/plain", (server) =>
      server.gate(({ headers }) =>
        headers["content-type"] === "text/plain" ? page(500, "body is not defined") : undefined,
      ),
    ),
    fault("takes a body of text/plain and does nothing", (server) =>
      server.gate(({ headers }) => (headers["content-type"] === "text/plain" ? page(202, "", "") : undefined)),
    ),
    fault("compares the Content-Type as a whole", (server) =>
      server.gate(({ method, headers, json }) =>
        method === "POST" && at(json, "method") !== "initialize" && headers["content-type"] !== "application/json"
          ? errorPage(415, -32000)
          : undefined,
      ),
    ),
    fault("breaks down on a charset", (server) =>
      server.gate(({ headers }) =>
        headers["content-type"]?.includes("charset") === true ? page(500, "unknown encoding") : undefined,
      ),
    ),
  ],
  async run(_, server) {
    const control = await server.control();
    const ask = (type: string) => {
      const id = server.unique();
      return server.http({ body: JSON.stringify({ ...control.request, id }), set: { "Content-Type": type }, id });
    };
    const typed = await server.attributed(await ask("application/json; charset=utf-8"));
    if (!isServed(typed)) {
      if (!isServed(control)) return blocked("the control request is refused, too", undefined, typed, control);
      return fail("application/json with a charset served", sight(typed), typed, control);
    }
    const probe = settled(await server.attributed(settled(await ask("text/plain"))));
    if (isRefusal(probe)) return pass(`text/plain refused with ${sight(probe)}`, undefined, probe, typed);
    const code = rpcError(probe.reply)?.code;
    // Where the control request is answered with that error as well, it says nothing of the media type.
    if (code === undefined || code === rpcError(control.reply)?.code) {
      return fail("a refusal of text/plain", sight(probe), probe, typed);
    }
    return pass(
      `text/plain refused with error ${code}`,
      `the refusal came with HTTP ${probe.http?.status}`,
      probe,
      typed,
    );
  },
});

// --- internal ---

const isServed = (exchange: Exchange): boolean => exchange.reply !== undefined && !isRefusal(exchange);
