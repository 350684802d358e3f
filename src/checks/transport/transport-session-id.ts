import { sessionId } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

export default defineCheck({
  id: "transport-session-id",
  title: "A server that requires a session refuses requests without its id with 400",
  why: "A client that has lost its session id learns from the 400 what is missing; any other status sends it looking elsewhere.",
  fix: "Where a session is required, answer a request (other than initialize) without MCP-Session-Id with HTTP 400.",
  snippet: ['-> {"jsonrpc":"2.0","id":2,"method":"ping"} (no MCP-Session-Id)', "<- HTTP/1.1 400 Bad Request"],
  effect: "shared",
  uses: "http",
  needs: { sessionId },
  faults: [
    fault("refuses a missing session id with 404", withStatus(404)),
    fault("refuses a missing session id with 403", withStatus(403)),
    fault("answers a missing session id with an error and status 200", withStatus(200)),
    fault("breaks down when the session id is missing", withStatus(500)),
  ],
  async run(_, server) {
    const control = await server.control();
    const id = server.unique();
    const body = JSON.stringify({ ...control.request, id });
    const probe = await server.http({ body, id, drop: ["MCP-Session-Id"], raw: true });
    const exchange = await server.attributed(settled(probe));
    const status = exchange.http?.status ?? 0;
    if (status === 400) return pass("HTTP 400", undefined, exchange);
    const code = rpcError(exchange.reply)?.code;
    const served = status < 300 && exchange.reply !== undefined && code === rpcError(control.reply)?.code;
    if (served) return skipped("a request without the session id is served: the server does not require a session");
    return fail("HTTP 400", status === 200 ? `HTTP 200 with ${sight(exchange)}` : sight(exchange), exchange);
  },
});

// --- internal ---

function withStatus(status: number): (server: Bendable) => void {
  return (server) =>
    server.http((plan, { headers, method }) =>
      method === "POST" && headers["mcp-session-id"] === undefined && plan.status === 400 ? { ...plan, status } : plan,
    );
}
