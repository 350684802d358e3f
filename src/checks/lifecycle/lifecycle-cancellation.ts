import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, type JsonObject } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";
import { responseTo, servedAfter, servedBefore } from "./_harmless.ts";

export default defineCheck({
  id: "lifecycle-cancellation",
  title: "A cancellation that matches no request is ignored",
  why: "A cancellation and the response it is meant to stop often cross on the way; clients can't avoid to cancel what is over.",
  fix: "Take notifications/cancelled with 202 and no body, whatever it names; do nothing where no such request is running.",
  snippet: [
    '-> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never-sent"}}',
    "<- HTTP/1.1 202 Accepted",
  ],
  effect: "own",
  needs: { opening },
  faults: [
    fault("refuses a cancellation of an unknown request with 404", (server) =>
      server.http((plan, { json }) =>
        at(json, "params", "requestId") === 987_654_321 ? { status: 404, headers: [] } : plan,
      ),
    ),
    fault(
      "answers each cancellation with an error",
      (server) =>
        server.after("notifications/cancelled", ({ send }) =>
          send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown method" } }),
        ),
      { alsoFails: ["transport-notification-202", "lifecycle-jsonrpc"] },
    ),
    fault("fails with 500 when a cancellation names no request", (server) =>
      server.http((plan, { json }) =>
        at(json, "method") === "notifications/cancelled" && at(json, "params", "requestId") === undefined
          ? { status: 500, headers: [] }
          : plan,
      ),
    ),
    fault("refuses what comes after the cancellation of a request that is over", (server) => {
      const over = new Set<string>();
      server.gate(({ headers, json }) => {
        const session = headers["mcp-session-id"] ?? "";
        if (over.has(session)) return { status: 400, headers: [] };
        if (at(json, "params", "reason") === "it is over") over.add(session);
        return undefined;
      });
    }),
    fault(
      "answers a cancelled request once more",
      (server) =>
        server.after("notifications/cancelled", ({ send, params }) =>
          send({ jsonrpc: "2.0", id: params["requestId"] ?? 0, result: {} }),
        ),
      { alsoFails: ["transport-notification-202", "lifecycle-jsonrpc", "lifecycle-id-match"] },
    ),
  ],
  async run(_, server) {
    const before = await servedBefore(server);
    const done = before.request?.id;
    const probes: readonly JsonObject[] = [
      { requestId: 987_654_321, reason: "never asked" },
      { requestId: typeof done === "number" ? done : 1, reason: "it is over" },
      { reason: "no request named" },
    ];
    const sent: Exchange[] = [];
    for (const params of probes) {
      const exchange = await server.attributed(await server.notify("notifications/cancelled", params));
      sent.push(exchange);
      const expected = `no response to a cancellation (${String(params["reason"])})`;
      if (responseTo(exchange) !== undefined) return fail(expected, sight(exchange), exchange);
      const status = exchange.http?.status ?? 202;
      if (status >= 400)
        return fail(`HTTP 202 to a cancellation (${String(params["reason"])})`, `HTTP ${status}`, exchange);
    }
    const silenced = await servedAfter(server, before, sent);
    return silenced ?? pass("3 cancellations taken, and a session that goes on serving", undefined, ...sent);
  },
});
