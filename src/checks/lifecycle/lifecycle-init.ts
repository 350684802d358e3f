import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { blocked, fail, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";

const FIELDS = ["protocolVersion", "capabilities", "serverInfo"] as const;

export default defineCheck({
  id: "lifecycle-init",
  title: "initialize opens a session that serves requests",
  why: "Nothing works without it: a client that gets no complete answer to initialize drops the server at once.",
  fix: "Answer initialize with protocolVersion, capabilities and serverInfo, take the notification initialized, then go on answering.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1.0.0"}}}',
    '-> {"jsonrpc":"2.0","method":"notifications/initialized"}',
  ],
  effect: "shared",
  needs: { opened },
  faults: [
    fault("answers initialize with an error", (server) =>
      server.answer("initialize", () => ({ error: { code: -32603, message: "not configured" } })),
    ),
    fault(
      "answers initialize with an error and HTTP 500",
      (server) => {
        server.answer("initialize", () => ({ error: { code: -32603, message: "not configured" } }));
        server.http((plan, { json }) => (at(json, "method") === "initialize" ? { ...plan, status: 500 } : plan));
      },
      { on: "http", alsoFails: ["security-auth-required"] },
    ),
    fault(
      "opens with its capabilities only",
      (server) => server.edit("initialize", ({ capabilities }) => ({ capabilities })),
      { alsoFails: ["lifecycle-proto-version", "lifecycle-server-info", "lifecycle-version-negotiate"] },
    ),
    fault("opens without its capabilities", (server) => server.drop("initialize", ["capabilities"]), {
      alsoFails: ["lifecycle-capabilities", "lifecycle-list-changed", "error-capability-gated"],
    }),
    fault("opens with null", (server) =>
      server.reply((reply, { method }) => (method === "initialize" ? { ...reply, result: null } : reply)),
    ),
    fault("exits when it is initialized", (server) => server.before("initialize", ({ die }) => die()), {
      alsoFails: ["transport-post", "security-auth-required"],
    }),
    fault(
      "answers what follows the opening with an empty page",
      (server) =>
        server.http((plan, { json }) => (at(json, "method") === "ping" ? { status: 200, headers: [] } : plan)),
      {
        on: "http",
        alsoFails: [
          "lifecycle-ping",
          "lifecycle-id-match",
          "lifecycle-string-id",
          "lifecycle-meta-tolerance",
          "transport-content-type",
          "transport-content-type-reject",
          "transport-concurrent",
          "transport-session-id",
          "transport-session-invalid",
          "error-invalid-jsonrpc",
          "security-oversized-input",
        ],
      },
    ),
  ],
  async run({ opened }, server) {
    const exchange = await server.attributed(opened.exchange, { codes: "any" });
    const error = rpcError(exchange.reply);
    const result = resultOf(exchange.reply);
    if (error !== undefined) return fail("a result of initialize", `error ${error.code}`, exchange);
    if (!isObject(result)) {
      const answered = exchange.received.some(({ message }) => message?.jsonrpc !== undefined);
      return answered
        ? fail("a result object of initialize", sight(exchange), exchange)
        : blocked(opened.refusal ?? "initialize was not answered", "opening", exchange);
    }
    const missing = FIELDS.filter((name) => result[name] === undefined);
    if (missing.length > 0) return fail(FIELDS.join(", "), `no ${missing.join(", no ")}`, exchange);
    const pong = await server.attributed(await server.control(), { codes: "any" });
    if (pong.reply === undefined) return fail("an answer to the request after the opening", sight(pong), pong);
    const note = rpcError(pong.reply) === undefined ? undefined : "the request after it was answered with an error";
    return pass(`${FIELDS.join(", ")}, and a session that answers`, note, exchange, pong);
  },
});
