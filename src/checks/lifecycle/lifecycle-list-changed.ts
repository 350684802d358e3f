import { capabilities } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Transcript } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { sight } from "../_sight.ts";

const NONE = skipped("no list_changed was received; a change can't be provoked");

export default defineCheck({
  id: "lifecycle-list-changed",
  title: "list_changed is sent only for lists that were declared to change",
  why: "A client that was not told listens for no changes; it goes on with the old list, or takes the message for an error.",
  fix: "Declare listChanged: true for each list of which you tell changes, or tell none.",
  snippet: [
    '"capabilities": { "tools": { "listChanged": true } }',
    '<- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  ],
  effect: "shared",
  needs: { capabilities },
  faults: [
    fault("tells changes of tools and does not declare them", (server) =>
      server.drop("initialize", ["capabilities", "tools", "listChanged"]),
    ),
    fault("tells changes of tools and declares that there are none", (server) =>
      server.put("initialize", ["capabilities", "tools", "listChanged"], false),
    ),
    fault("tells changes of resources with its list of tools and declares none", (server) => {
      server.drop("initialize", ["capabilities", "resources", "listChanged"]);
      server.before("tools/list", ({ broadcast }) => broadcast("notifications/resources/list_changed"));
    }),
    fault(
      "has no prompts and tells that they changed",
      (server) => {
        server.drop("initialize", ["capabilities", "prompts"]);
        server.after("tools/list", ({ broadcast }) => broadcast("notifications/prompts/list_changed"));
      },
      { alsoFails: ["error-capability-gated"] },
    ),
  ],
  async run({ capabilities }, server) {
    await server.attributed(await server.control(), { codes: "any" });
    const changed = new Set(server.heard().flatMap(({ message }) => listIn(message) ?? []));
    const declared = [...changed].filter((list) => at(capabilities, list, "listChanged") === true);
    const again = [];
    for (const list of declared) again.push({ list, exchange: await server.send(`${list}/list`) });
    if (again.length === 0) return NONE;
    const listed = again.map(({ list, exchange }) => {
      const items = at(exchange.reply, "result", list);
      return `${list}/list then gave ${Array.isArray(items) ? `${items.length} on its first page` : sight(exchange)}`;
    });
    return pass(`changes of ${declared.join(", ")}, declared`, listed.join("; "), ...again.map((one) => one.exchange));
  },
  review(transcript) {
    const told = transcript.flatMap((exchange) =>
      exchange.received.flatMap(({ message }) => {
        const list = listIn(message);
        return list === undefined ? [] : [{ exchange, list }];
      }),
    );
    const bad = told.find(({ exchange, list }) => !declares(transcript, exchange.session, list));
    if (bad !== undefined) {
      return fail(
        `no change of ${bad.list}, since listChanged is not declared`,
        `notifications/${bad.list}/list_changed`,
        bad.exchange,
      );
    }
    return told.length === 0 ? NONE : pass(`${told.length} list_changed, all of declared lists`);
  },
});

// --- internal ---

const listIn = (message: Message | undefined): string | undefined =>
  /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(String(message?.method))?.[1];

/** By what the server declared in that session. */
const declares = (transcript: Transcript, session: number, list: string): boolean =>
  transcript.some(
    (exchange) =>
      exchange.session === session &&
      exchange.request?.method === "initialize" &&
      at(exchange.reply, "result", "capabilities", list, "listChanged") === true,
  );
