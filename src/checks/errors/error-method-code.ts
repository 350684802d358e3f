import { unknownMethod } from "../../facts/refusals.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";

export default defineCheck({
  id: "error-method-code",
  title: "The error for an unknown method has code -32601",
  why: "Clients tell by this code alone that a feature is missing, and go on without it; any other code is shown as a breakdown.",
  fix: "Answer a request whose method you don't know with error code -32601 (method not found).",
  snippet: ['<- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'],
  effect: "shared",
  needs: { unknownMethod },
  faults: [
    fault("answers unknown methods with -32600", withCode(-32600), { alsoFails: ["stdio-unknown-method-recovers"] }),
    fault("answers unknown methods with code 0", withCode(0), { alsoFails: ["stdio-unknown-method-recovers"] }),
    fault("answers unknown methods with code 32601", withCode(32601), { alsoFails: ["stdio-unknown-method-recovers"] }),
  ],
  async run({ unknownMethod: exchange }) {
    const error = rpcError(exchange.reply);
    if (error === undefined || (error.code !== -32601 && isTurnedAway(exchange))) {
      return skipped("no JSON-RPC error came that could be attributed; error-unknown-method judges that");
    }
    return error.code === -32601
      ? pass("code -32601", undefined, exchange)
      : fail("code -32601", `code ${error.code}`, exchange);
  },
});

// --- internal ---

/** Whether the status speaks of who asks, not of what is asked. */
const isTurnedAway = ({ http }: Exchange): boolean => [401, 403, 429].includes(http?.status ?? 0);

function withCode(code: number): (server: Bendable) => void {
  return (server) =>
    server.reply((reply, { method }) =>
      method.startsWith("nonexistent/")
        ? { jsonrpc: "2.0", id: reply.id, error: { code, message: "unknown method" } }
        : reply,
    );
}
