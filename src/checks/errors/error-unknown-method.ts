import { unknownMethod } from "../../facts/refusals.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";

export default defineCheck({
  id: "error-unknown-method",
  title: "An unknown method is answered with a JSON-RPC error",
  why: "Clients probe for methods that servers may not have; without an error they wait, or take the silence for a defect.",
  fix: "Answer a request whose method you don't know with a JSON-RPC error that carries the request's id.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"no/such/method"}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
  ],
  effect: "shared",
  needs: { unknownMethod },
  faults: [
    fault(
      "answers unknown methods with a result",
      (server) =>
        server.reply((reply, { method }) =>
          method.startsWith("nonexistent/") ? { jsonrpc: "2.0", id: reply.id, result: {} } : reply,
        ),
      {
        alsoFails: ["stdio-unknown-method-recovers", "error-method-code", "schema-result-type", "schema-wire-valid"],
      },
    ),
    fault(
      "never answers unknown methods",
      (server) => server.reply((reply, { method }) => (method.startsWith("nonexistent/") ? undefined : reply)),
      { alsoFails: ["stdio-unknown-method-recovers"] },
    ),
    fault(
      "answers unknown methods with an empty page",
      (server) =>
        server.http((plan, { json }) =>
          methodIn(json).startsWith("nonexistent/") ? { status: 200, headers: [] } : plan,
        ),
      { on: "http" },
    ),
  ],
  async run({ unknownMethod: exchange }, server) {
    await server.attributed(exchange, { codes: "any" });
    const error = rpcError(exchange.reply);
    return error === undefined
      ? fail("a JSON-RPC error with the request's id", sight(exchange), exchange)
      : pass(`error ${error.code}`, undefined, exchange);
  },
});

// --- internal ---

const methodIn = (json: unknown): string =>
  typeof json === "object" && json !== null && "method" in json ? String(json.method) : "";
