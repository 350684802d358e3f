import { opening } from "../../facts/opening.ts";
import type { Bendable, Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";

const ALSO = { alsoFails: ["error-unknown-method", "error-method-code"] };

export default defineCheck({
  id: "stdio-unknown-method-recovers",
  title: "An unknown method is answered with -32601 and the process goes on serving",
  why: "Newer clients ask for methods that older servers have never heard of; a process that ends over it takes the session with it.",
  fix: "Answer a request whose method you don't know with error -32601, ignore notifications you don't know, and read on.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"no/such/method"}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
  ],
  effect: "shared",
  needs: { opening },
  faults: [
    fault(
      "exits on an unknown method",
      unknown(({ die }) => die()),
      ALSO,
    ),
    fault(
      "exits on an unknown notification",
      unknown(({ die, message }) => (message.id === undefined ? die() : undefined)),
    ),
    fault(
      "exits once it has answered an unknown method",
      (server) =>
        server.after("*", (serving) =>
          isUnknown(serving) && serving.message.id !== undefined ? serving.die() : undefined,
        ),
      // Whoever asks next on the common session finds it gone.
      { alsoFails: ["error-missing-params", "tools-call-unknown"] },
    ),
    fault(
      "answers unknown methods with an internal error",
      (server) =>
        server.reply((reply, serving) =>
          isUnknown(serving) ? { jsonrpc: "2.0", id: reply.id, error: { code: -32603, message: "what?" } } : reply,
        ),
      ALSO,
    ),
    fault(
      "takes no unknown method for a request",
      (server) => server.reply((reply, serving) => (isUnknown(serving) ? undefined : reply)),
      ALSO,
    ),
    fault("answers nothing that follows an unknown notification at first", (server) => {
      let deaf = false;
      server.before("*", (serving) => {
        if (isUnknown(serving)) deaf = serving.message.id === undefined;
      });
      server.reply((reply) => {
        const withheld = deaf;
        deaf = false;
        return withheld ? undefined : reply;
      });
    }),
  ],
  async run(_, server) {
    const probe = await server.attributed(await server.send(`nonexistent/${server.unique()}`), { codes: "any" });
    if (rpcError(probe.reply)?.code !== -32601) return fail("error -32601", sight(probe), probe);
    const after = await server.attributed(await server.control());
    if (after.reply === undefined) return fail("an answer after an unknown method", sight(after), after, probe);
    const notice = await server.notify(`notifications/nonexistent/${server.unique()}`);
    const last = await server.attributed(await server.control());
    if (last.reply === undefined) return fail("an answer after an unknown notification", sight(last), last, notice);
    return pass("error -32601, and answers after it and after an unknown notification", undefined, probe, after, last);
  },
});

// --- internal ---

const isUnknown = ({ method }: Serving): boolean => method.includes("nonexistent/");

function unknown(how: (serving: Serving) => void): (server: Bendable) => void {
  return (server) => server.before("*", (serving) => (isUnknown(serving) ? how(serving) : undefined));
}
