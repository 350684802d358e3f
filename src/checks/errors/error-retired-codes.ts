import { provoked } from "../../facts/provoked.ts";
import { defineReview } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { type Heard, heardIn } from "../_heard.ts";

export default defineReview({
  id: "error-retired-codes",
  title: "The codes -32002 and -32042 are not used any more",
  why: "Clients of this revision don't know the two: what was a missing resource or a wish for input is to them an error without a meaning.",
  fix: 'Answer a missing resource with -32602, and what needs something of the user with resultType "input_required".',
  snippet: [
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"file:///none"}}}',
  ],
  needs: { provoked },
  faults: [
    coded("finds no prompt with -32002", "prompts/get", -32002),
    coded("finds no resource with -32002", "resources/read", -32002, ["resources-not-found"]),
    coded("wants an elicitation with -32042", "tools/call", -32042),
  ],
  review(transcript) {
    const heard = heardIn(transcript);
    const retired = heard.find((one) => RETIRED.includes(codeOf(one) ?? 0));
    if (retired !== undefined) {
      return fail("no error -32002 or -32042", `error ${codeOf(retired)}`, retired.exchange);
    }
    const errors = heard.filter((one) => codeOf(one) !== undefined);
    const saw = `neither code in ${count(errors.length, "error")} among ${count(heard.length, "message")}`;
    const draft = errors.find((one) => DRAFT.has(codeOf(one) ?? 0));
    if (draft === undefined) return pass(saw);
    const code = codeOf(draft) ?? 0;
    return pass(saw, `error ${code} is of a draft of this revision; it is ${DRAFT.get(code)} now`, draft.exchange);
  },
});

// --- internal ---

const RETIRED: readonly number[] = [-32002, -32042];
/** Codes of drafts, and what became of them. */
const DRAFT: ReadonlyMap<number, number> = new Map([
  [-32001, -32020],
  [-32003, -32021],
  [-32004, -32022],
]);

const codeOf = ({ message }: Heard): number | undefined => rpcError(message)?.code;

function coded(name: string, method: string, code: number, alsoFails: readonly string[] = []): Fault {
  return fault(
    name,
    (server) =>
      server.reply((reply, serving) =>
        serving.method === method && reply.error !== undefined
          ? { jsonrpc: "2.0", id: reply.id, error: { code, message: "no" } }
          : reply,
      ),
    { alsoFails },
  );
}
