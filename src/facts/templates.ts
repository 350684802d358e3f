import { absent, broken, defineFact, known } from "../model/fact.ts";
import { rpcError } from "../model/message.ts";
import { lastOf, type Walk, walks } from "./lists.ts";

const METHOD = "resources/templates/list";

/** The walk through the list of templates; absent where there is no such method, which can't be declared by itself. */
export const templatePages = defineFact<Walk, { walk: typeof walks.templates }>({
  name: `${METHOD} result`,
  needs: { walk: walks.templates },
  async learn({ walk }, session) {
    const last = lastOf(walk);
    if (walk.pages.length === 1 && rpcError(last.reply)?.code === -32601) {
      return absent("there is no list of templates: error -32601");
    }
    if (walk.end === "error") await session.attributed(last, { codes: "any" });
    const odd = walk.pages.find(({ items }) => !Array.isArray(items));
    if (odd === undefined) return known(walk);
    const reason = walk.error ?? "a page without an array resourceTemplates";
    return broken(`${METHOD} failed (${reason}); there is no list to judge`, METHOD, [odd.exchange.n]);
  },
});
