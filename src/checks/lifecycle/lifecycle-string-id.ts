import * as v from "valibot";
import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { echoed, shown } from "./_echo.ts";

export default defineCheck({
  id: "lifecycle-string-id",
  title: "A string id comes back as the same string",
  why: "Many clients number their requests with texts or UUIDs; a text that comes back as a number matches none of them.",
  fix: "Keep the id as the JSON value it is; neither parse it as a number nor encode it anew.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":"007","method":"tools/list"}',
    '<- {"jsonrpc":"2.0","id":"007","result":{"tools":[]}}',
  ],
  effect: "own",
  needs: { opening },
  params: v.object({ method: v.string() }),
  faults: [
    fault(
      "parses the ids that look like numbers",
      (server) =>
        server.reply((reply) =>
          typeof reply.id === "string" && /^\d+$/.test(reply.id) ? { ...reply, id: Number(reply.id) } : reply,
        ),
      { alsoFails: ["lifecycle-id-match", "transport-session-ignored"] },
    ),
    fault(
      "gives back ids in ASCII only",
      (server) =>
        server.reply((reply) =>
          typeof reply.id === "string" ? { ...reply, id: reply.id.replace(/[^\x20-\x7e]/g, "?") } : reply,
        ),
      { alsoFails: ["lifecycle-id-match", "stdio-unicode"] },
    ),
    fault(
      "leaves out ids that are UUIDs",
      (server) =>
        server.reply((reply) =>
          typeof reply.id === "string" && /^[0-9a-f]{8}-/.test(reply.id) ? { ...reply, id: undefined } : reply,
        ),
      { alsoFails: ["lifecycle-jsonrpc", "schema-wire-valid"] },
    ),
    fault(
      "shortens ids to eight characters",
      (server) =>
        server.reply((reply) => (typeof reply.id === "string" ? { ...reply, id: reply.id.slice(0, 8) } : reply)),
      {
        alsoFails: [
          "lifecycle-id-match",
          "transport-concurrent",
          "transport-content-type-reject",
          "stdio-framing",
          "stdio-unicode",
        ],
      },
    ),
  ],
  async run(_, server) {
    const hex = (digits: number) => Array.from({ length: digits }, () => server.random(16).toString(16)).join("");
    const uuid = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    const ids = ["abc-é-1", uuid, "1"];
    const seen = [];
    for (const id of ids) {
      const { exchange, answer } = await echoed(server, server.params.method, id);
      if (answer !== undefined) return fail(`the id ${shown(id)}`, answer, exchange);
      seen.push(exchange);
    }
    return pass(`the ids ${ids.map(shown).join(", ")}`, undefined, ...seen);
  },
});
