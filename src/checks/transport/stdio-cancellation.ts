import { opening } from "../../facts/opening.ts";
import type { Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isResponse } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { oneLine } from "../../text/escape.ts";
import { sight } from "../_sight.ts";

const CANCELLED = "notifications/cancelled";

export default defineCheck({
  id: "stdio-cancellation",
  title: "A cancellation of an unknown request is ignored",
  why: "A cancellation often crosses with the response on the way, so clients can't avoid to cancel what is over or was never there.",
  fix: "Look the requestId up among the requests under way; where there is none, do nothing and answer nothing.",
  snippet: [
    '-> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never-sent"}}',
    "<- (nothing)",
  ],
  effect: "own",
  needs: { opening },
  faults: [
    fault(
      "says which cancelled request it does not know",
      (server) =>
        server.after(
          CANCELLED,
          answering(({ params }) => params["requestId"]),
        ),
      { alsoFails: ["lifecycle-id-match"] },
    ),
    fault(
      "answers a cancellation as if it were a request",
      (server) =>
        server.after(
          CANCELLED,
          answering(() => null),
        ),
      { alsoFails: ["lifecycle-jsonrpc", "schema-wire-valid"] },
    ),
    fault(
      "confirms a cancellation with a result",
      (server) =>
        server.after(CANCELLED, ({ send, params }) =>
          send({ jsonrpc: "2.0", id: params["requestId"], result: { resultType: "complete" } }),
        ),
      // The result of a subscription that is cancelled would have to name it.
      { alsoFails: ["lifecycle-id-match", "schema-wire-valid"] },
    ),
    fault("exits on the cancellation of a request that it does not know", (server) =>
      server.before(CANCELLED, ({ die }) => die()),
    ),
    fault("is silent for good after a cancellation", (server) => {
      let deaf = false;
      server.before(CANCELLED, () => {
        deaf = true;
      });
      server.stdout((line) => (deaf ? "" : line));
    }),
  ],
  async run(_, server) {
    const { exchange: before } = await server.opened();
    const heard = server.heard().length;
    const notice = await server.notify(CANCELLED, { requestId: server.unique(), reason: "never asked" });
    // What an answer to the notification would be has come before the answer to the next request.
    const fence = await server.control();
    const answer = server
      .heard()
      .slice(heard)
      .find(({ message }) => message !== undefined && isResponse(message));
    if (answer !== undefined) {
      return fail("no answer to a cancellation", oneLine(answer.text, 80), notice, fence);
    }
    if (fence.end === "timeout") return fail("an answer after the cancellation", "no reply", notice, fence, before);
    await server.attributed(fence);
    if (fence.reply === undefined) return fail("an answer after the cancellation", sight(fence), fence, notice);
    return pass("no answer to it, and one to the next request", undefined, notice, fence);
  },
});

// --- internal ---

const answering =
  (idOf: (serving: Serving) => unknown) =>
  (serving: Serving): void =>
    serving.send({ jsonrpc: "2.0", id: idOf(serving), error: { code: -32602, message: "unknown request" } });
