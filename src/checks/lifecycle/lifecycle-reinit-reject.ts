import { sessionId } from "../../facts/opening.ts";
import type { Bendable, HttpPlan, HttpRequestView } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";
import { servedAfter, servedBefore } from "./_harmless.ts";

export default defineCheck({
  id: "lifecycle-reinit-reject",
  title: "A second initialize in a session is refused, or does no harm",
  why: "Clients that reconnect may initialize an open session again; a server that loses the session over it loses the client's work.",
  fix: "Answer initialize in a session that is open with an error (HTTP 400), and keep the session as it is.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":9,"method":"initialize",…} (in an open session)',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":9,"error":{"code":-32600,"message":"Already initialized"}}',
  ],
  effect: "own",
  needs: { sessionId },
  faults: [
    fault("drops the session when it is initialized again", (server) => dropping(server)),
    fault("refuses to initialize a session again, and drops it", (server) =>
      dropping(server, { status: 400, headers: [] }),
    ),
    fault("answers a second initialize with an empty HTTP 500", (server) =>
      server.gate((request) => (isSecond(request) ? { status: 500, headers: [] } : undefined)),
    ),
    fault("never answers a second initialize", (server) => {
      let second = false;
      server.gate((request) => {
        second = isSecond(request);
        return undefined;
      });
      server.reply((reply, { method }) => (second && method === "initialize" ? undefined : reply));
    }),
  ],
  async run(_, server) {
    const { negotiated } = await server.opened();
    const params = {
      protocolVersion: negotiated ?? "",
      capabilities: {},
      clientInfo: { name: "mcp-assay", version: "1" },
    };
    const before = await servedBefore(server);
    const second = await server.attributed(await server.send("initialize", params), { codes: "any" });
    const harmed = await servedAfter(server, before, [second]);
    if (harmed !== undefined) return harmed;
    if (resultOf(second.reply) === undefined) return pass(sight(second), undefined, second);
    return pass("a result, and a session that still serves", "a second initialize is accepted", second);
  },
});

// --- internal ---

const isSecond = ({ headers, json }: HttpRequestView): boolean =>
  headers["mcp-session-id"] !== undefined && at(json, "method") === "initialize";

/** After a second initialize nothing of that session is served; `refusal` is what it is answered with itself. */
function dropping(server: Bendable, refusal?: HttpPlan): void {
  const dropped = new Set<string>();
  server.gate((request) => {
    const session = request.headers["mcp-session-id"] ?? "";
    if (isSecond(request)) {
      dropped.add(session);
      return refusal;
    }
    return dropped.has(session) ? { status: 404, headers: [] } : undefined;
  });
}
