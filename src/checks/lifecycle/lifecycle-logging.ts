import { capabilities } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { each, skipped } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";
import { payload } from "./_empty.ts";

/** RFC 5424; the most talkative last, so that a server which keeps the level for all sessions hides nothing. */
const LEVELS = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"] as const;

export default defineCheck({
  id: "lifecycle-logging",
  title: "logging/setLevel takes all eight levels",
  why: "A client offers its user the eight levels of RFC 5424; a server that knows fewer answers a right choice with an error.",
  fix: "Answer logging/setLevel with an empty result for each of debug, info, notice, warning, error, critical, alert, emergency.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"notice"}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{}}',
  ],
  effect: "own",
  needs: { capabilities },
  faults: [
    fault("declares logging and knows no logging/setLevel", (server) =>
      server.answer("logging/setLevel", () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault("knows only the levels of its logging library", (server) =>
      server.answer("logging/setLevel", ({ params }) =>
        ["debug", "info", "warning", "error"].includes(String(params["level"]))
          ? { result: {} }
          : { error: { code: -32602, message: "unknown level" } },
      ),
    ),
    fault("answers the level emergency with null", (server) =>
      server.reply((reply, { method, params }) =>
        method === "logging/setLevel" && params["level"] === "emergency" ? { ...reply, result: null } : reply,
      ),
    ),
    fault("never answers logging/setLevel", (server) => server.answer("logging/setLevel", () => undefined)),
  ],
  async run({ capabilities }, server) {
    if ((capabilities["logging"] ?? false) === false) return skipped("the server does not declare logging");
    const set: { readonly level: string; readonly exchange: Exchange }[] = [];
    for (const level of LEVELS) set.push({ level, exchange: await server.request("logging/setLevel", { level }) });
    const taken = ({ exchange }: { readonly exchange: Exchange }) => isObject(resultOf(exchange.reply));
    const full = set.find(({ exchange }) => payload(resultOf(exchange.reply)) !== undefined);
    const outcome = each(
      "levels",
      set,
      (one) => (taken(one) ? undefined : [`an empty result for ${one.level}`, sight(one.exchange)]),
      [(set.find((one) => !taken(one)) ?? full ?? set[0])?.exchange],
    );
    return outcome.status === "pass" && full !== undefined ? { ...outcome, note: "the result is not empty" } : outcome;
  },
});
