import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { worst } from "../../model/outcome.ts";
import { errorPage, jsonPage, page } from "../_bends.ts";
import { onUnreadable, refusedWith, TORN } from "./_unreadable.ts";

const GIBBERISH = "<<<not json>>>";

export default defineCheck({
  id: "error-parse-code",
  title: "The error for a body that is no JSON has code -32700",
  why: "The code tells a client that its bytes were damaged on the way, and not that its request was wrong.",
  fix: "Where the body can't be parsed, answer HTTP 400 with error -32700 and id null (or none).",
  snippet: ["<- HTTP/1.1 400 Bad Request", '   {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault(
      "answers gibberish with -32600",
      onUnreadable(() => errorPage(400, -32600)),
    ),
    fault(
      "answers gibberish with -32603",
      onUnreadable(() => errorPage(400, -32603)),
    ),
    fault(
      "answers a body that it can't read with an invented id",
      onUnreadable(() =>
        jsonPage(400, { jsonrpc: "2.0", id: "server-error", error: { code: -32700, message: "parse error" } }),
      ),
    ),
    fault("breaks down on gibberish", (server) =>
      server.gate(({ body }) => (body === GIBBERISH ? page(500, "Unexpected token <") : undefined)),
    ),
    fault("takes gibberish and does nothing", (server) =>
      server.gate(({ body }) => (body === GIBBERISH ? page(202, "", "") : undefined)),
    ),
  ],
  async run(_, server) {
    const gibberish = await refusedWith(
      server,
      await server.http({ body: GIBBERISH, like: server.compose() }),
      -32700,
      [],
      "gibberish",
    );
    return worst(
      gibberish,
      await refusedWith(server, await server.http({ body: TORN, like: server.compose() }), -32700, [], "a torn body"),
    );
  },
});
