import { sessionId } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";

export default defineCheck({
  id: "transport-session-id",
  title: "A server that requires a session refuses requests without its id with 400",
  why: "A client that has lost its session id learns from the 400 what is missing; any other status sends it looking elsewhere.",
  fix: "Where a session is required, answer a request (other than initialize) without MCP-Session-Id with HTTP 400.",
  effect: "shared",
  uses: "http",
  needs: { sessionId },
  faults: [
    fault("refuses a missing session id with 404", (server) =>
      server.http((plan, { headers, method }) =>
        method === "POST" && headers["mcp-session-id"] === undefined && plan.status === 400
          ? { ...plan, status: 404 }
          : plan,
      ),
    ),
    fault("answers a missing session id with an error and status 200", (server) =>
      server.http((plan, { headers, method }) =>
        method === "POST" && headers["mcp-session-id"] === undefined && plan.status === 400
          ? { ...plan, status: 200 }
          : plan,
      ),
    ),
  ],
  async run(_, server) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: server.unique(), method: "ping" });
    const exchange = await server.attributed(await server.http({ body, drop: ["MCP-Session-Id"], raw: true }));
    const status = exchange.http?.status ?? 0;
    if (status === 400) return pass("HTTP 400", undefined, exchange);
    const served = exchange.received.some(({ message }) => message?.result !== undefined);
    if (served) return skipped("a request without the session id is served: the server does not require a session");
    const error = rpcError(exchange.received[0]?.message);
    return fail("HTTP 400", `HTTP ${status}${error === undefined ? "" : ` with error ${error.code}`}`, exchange);
  },
});
