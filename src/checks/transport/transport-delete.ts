import { sessionId } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { errorPage, onHttp, page } from "../_bends.ts";
import { sight } from "../_sight.ts";

export default defineCheck({
  id: "transport-delete",
  title: "DELETE ends the session or answers 405",
  why: "Clients say with DELETE that they are done; a session that only seems to end lives on in the server's memory.",
  fix: "Answer DELETE with the id of a live session by dropping that session and HTTP 200 or 204, or by HTTP 405 if clients may not end it.",
  snippet: ["-> DELETE /mcp", "   MCP-Session-Id: 5f0c…", "<- HTTP/1.1 204 No Content"],
  effect: "own",
  uses: "http",
  needs: { sessionId },
  faults: [
    fault("says that a session has ended and goes on serving it", onHttp("DELETE", page(200, "", ""))),
    fault("breaks down on what comes after the end of a session", (server) => {
      let ended = false;
      server.gate(({ method }) => {
        if (method === "DELETE") ended = true;
        return undefined;
      });
      server.http((plan, { method }) =>
        ended && method === "POST" && plan.status === 404 ? page(500, "transport is undefined") : plan,
      );
    }),
    fault("has no route for DELETE", onHttp("DELETE", page(404, "Cannot DELETE /mcp"))),
    fault("answers DELETE of a live session with 400", onHttp("DELETE", errorPage(400, -32000))),
    fault("breaks down on DELETE", onHttp("DELETE", page(500, "transport is not defined"))),
    fault("redirects DELETE", onHttp("DELETE", { status: 307, headers: [["Location", "/"]] })),
  ],
  async run(_, server) {
    const { request } = await server.control();
    const exchange = await server.attributed(await server.http({ method: "DELETE" }));
    const status = exchange.http?.status ?? 0;
    if (status === 405) return pass("HTTP 405: clients may not end sessions", undefined, exchange);
    if (status < 200 || status >= 300) return fail("HTTP 405, or a 2xx for a live session", sight(exchange), exchange);
    const id = server.unique();
    const after = await server.http({ body: JSON.stringify({ ...request, id }), id });
    // Whatever refuses it is right here, but a server that breaks down refuses nothing.
    if ((after.http?.status ?? 0) >= 500)
      return fail("a refusal once the session has ended", sight(after), after, exchange);
    return after.reply?.result === undefined
      ? pass(`HTTP ${status}, then ${sight(after)}`, undefined, exchange, after)
      : fail("no result in a session that has ended", "a result", after, exchange);
  },
});
