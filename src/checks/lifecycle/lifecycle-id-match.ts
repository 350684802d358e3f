import * as v from "valibot";
import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import type { Json } from "../../model/json.ts";
import { fail, pass, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { echoed, shown } from "./_echo.ts";
import { strays } from "./_stray.ts";

export default defineCheck({
  id: "lifecycle-id-match",
  title: "A response carries the id of its request, in value and type",
  why: "The id is all that ties a response to its request; under another one it is dropped and the request runs into its timeout.",
  fix: "Give the id back as the JSON value that came, be it 0, a large integer or a text, and answer no message that has none.",
  snippet: ['-> {"jsonrpc":"2.0","id":0,"method":"tools/list"}', '<- {"jsonrpc":"2.0","id":0,"result":{"tools":[]}}'],
  effect: "shared",
  needs: { opening },
  params: v.object({ method: v.string() }),
  faults: [
    fault("gives the id 0 back as a text", (server) =>
      server.reply((reply) => (reply.id === 0 ? { ...reply, id: "0" } : reply)),
    ),
    fault(
      "answers the id 0 with null",
      (server) => server.reply((reply) => (reply.id === 0 ? { ...reply, id: null } : reply)),
      { alsoFails: ["lifecycle-jsonrpc", "schema-wire-valid"] },
    ),
    fault("keeps ids in 32 bits", (server) =>
      server.reply((reply) => (typeof reply.id === "number" ? { ...reply, id: reply.id | 0 } : reply)),
    ),
    fault(
      "takes ids that look like numbers for numbers",
      (server) =>
        server.reply((reply) =>
          typeof reply.id === "string" && /^\d+$/.test(reply.id) ? { ...reply, id: Number(reply.id) } : reply,
        ),
      { alsoFails: ["lifecycle-string-id", "transport-session-ignored"] },
    ),
    fault(
      "answers the notification initialized under the id 0",
      (server) =>
        server.after("notifications/initialized", ({ send }) =>
          send({ jsonrpc: "2.0", id: 0, error: { code: -32601, message: "unknown method" } }),
        ),
      { only: "2025-11-25", alsoFails: ["lifecycle-jsonrpc", "transport-notification-202"] },
    ),
    fault(
      "answers each tools/list twice, the second time under another id",
      (server) => server.after("tools/list", ({ send }) => send({ jsonrpc: "2.0", id: 99_999, result: { tools: [] } })),
      { on: "stdio", only: "2025-11-25" },
    ),
    fault(
      "answers the id 0 twice, the first time under another id",
      (server) =>
        server.before("server/discover", ({ message, send }) =>
          message.id === 0 ? send({ jsonrpc: "2.0", id: 99_999, result: { resultType: "complete" } }) : undefined,
        ),
      { only: "2026-07-28", alsoFails: ["schema-wire-valid"] },
    ),
  ],
  async run(_, server) {
    const { method } = server.params;
    // Equal to the eye, and both under way at once.
    const alike = await Promise.all([ask(server, method, 1), ask(server, method, "1")]);
    const all = [...alike, await ask(server, method, 0), await ask(server, method, Number.MAX_SAFE_INTEGER)];
    const [first = pass("no ids"), ...rest] = all.map(({ id, exchange, answer }) =>
      exchange.reply === undefined
        ? fail(`the id ${shown(id)}`, answer ?? "no response", exchange)
        : pass(`the id ${shown(id)}`, undefined, exchange),
    );
    const outcome = worst(first, ...rest);
    const ids = all.map(({ id }) => shown(id)).join(", ");
    return outcome.status === "pass"
      ? pass(`the ids ${ids}`, undefined, ...all.map(({ exchange }) => exchange))
      : outcome;
  },
  review(transcript) {
    const found = strays(transcript);
    const first = found.find(({ refusal }) => !refusal);
    if (first !== undefined) {
      const expected = first.due === undefined ? "only ids that were sent" : `the id ${shown(first.due)}`;
      return fail(expected, `the id ${shown(first.id)}`, first.exchange);
    }
    const other = found[0];
    return other === undefined
      ? pass("no response with an id that was never sent")
      : pass("no response with an id that was never sent", `HTTP refusals carry the id ${shown(other.id)}`);
  },
});

// --- internal ---

async function ask(
  server: Server,
  method: string,
  id: Json,
): Promise<{ readonly id: Json; readonly exchange: Exchange; readonly answer: string | undefined }> {
  const { exchange, answer } = await echoed(server, method, id);
  return { id, exchange, answer };
}
