import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { mediaType } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { onMethod } from "../_bends.ts";

const typed = (...type: readonly string[]) =>
  onMethod("initialize", (plan) => ({
    ...plan,
    headers: [
      ...plan.headers.filter(([name]) => name.toLowerCase() !== "content-type"),
      ...type.map((value) => ["Content-Type", value] as const),
    ],
  }));

export default defineCheck({
  id: "transport-content-type-init",
  title: "initialize is answered as application/json or as text/event-stream",
  why: "It is the first answer a client parses; with another Content-Type it may never get to the second.",
  fix: "Give the answer to initialize Content-Type application/json, or text/event-stream where you stream it.",
  snippet: [
    "<- HTTP/1.1 200 OK",
    "   Content-Type: application/json",
    '   {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1.0.0"}}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault("answers initialize as text/plain", typed("text/plain; charset=utf-8")),
    fault("answers initialize as text/html", typed("text/html")),
    fault("answers initialize without a Content-Type", typed()),
  ],
  async run({ opening: { exchange } }, server) {
    await server.attributed(exchange, { codes: "any" });
    const type = mediaType(exchange.http);
    return type === "application/json" || type === "text/event-stream"
      ? pass(type, undefined, exchange)
      : fail("application/json or text/event-stream", type === "" ? "no Content-Type" : type, exchange);
  },
});
