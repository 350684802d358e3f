import * as v from "valibot";
import type { Exchange } from "../model/exchange.ts";
import { at } from "../model/json.ts";
import { resultOf, rpcError } from "../model/message.ts";
import { fail, type Outcome, pass } from "../model/outcome.ts";
import { inputRequired } from "../schema/shapes-2026-07-28.ts";

/** Whether a server may answer with a question in place of what was asked for (2026-07-28, basic/patterns/mrtr). */
export const ASKING_BACK = v.object({ inputRequired: v.boolean() });

/** Judges an answer that wants something of the client first; undefined for all others. `who` is what was asked for. */
export function askedBack(exchange: Exchange, who: string): Outcome | undefined {
  // Section basic/index#meta: what needs a capability that the request does not declare is answered so.
  if (rpcError(exchange.reply)?.code === LACKING) {
    return pass(
      `error ${LACKING}`,
      `${who} wants a capability that the request did not declare (${LACKING})`,
      exchange,
    );
  }
  const result = resultOf(exchange.reply);
  if (at(result, "resultType") !== "input_required") return undefined;
  if (at(result, "inputRequests") === undefined && at(result, "requestState") === undefined) {
    return fail("inputRequests or a requestState in an input_required result", `neither from ${who}`, exchange);
  }
  const found = inputRequired(result, "");
  return found === undefined
    ? pass("an input_required result", `${who} asks for input first`, exchange)
    : fail(`${found.expected} at ${found.path} of an input_required result`, `${found.actual} from ${who}`, exchange);
}

// --- internal ---

const LACKING = -32021;
