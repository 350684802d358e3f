import type { Bendable, Serving } from "../../model/bendable.ts";
import type { Exchange } from "../../model/exchange.ts";
import { at } from "../../model/json.ts";
import { rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";

/** Judges the answer to a call that names no tool there is: -32602, or with a note whatever else is an error. */
export function refusedCall(exchange: Exchange, what: string): Outcome {
  const error = rpcError(exchange.reply);
  if (error?.code === -32602) return pass("error -32602", undefined, exchange);
  if (error !== undefined)
    return pass(sight(exchange), `${what} is answered with ${sight(exchange)}; the code for it is -32602`, exchange);
  if (at(exchange.reply, "result", "isError") === true) {
    return pass(
      "a result with isError",
      `${what} is reported as a result with isError, one reading of the text`,
      exchange,
    );
  }
  return fail(`an error for ${what}`, sight(exchange), exchange);
}

/** Results of another revision, and of none: what judges their shape. */
export const RESULT = { alsoFails: ["schema-result-type", "schema-wire-valid"] };

/** A bend of the answers to calls that name no tool there is. */
export const onCall =
  (which: (name: unknown) => boolean, how: (serving: Serving) => object | undefined) => (server: Bendable) =>
    server.reply((reply, serving) => {
      if (serving.method !== "tools/call" || !which(serving.params["name"]) || reply.error === undefined) return reply;
      const answer = how(serving);
      return answer === undefined ? undefined : { jsonrpc: "2.0", id: reply.id, ...answer };
    });
