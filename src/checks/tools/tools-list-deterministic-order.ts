import { lastOf, lists, walk } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { cap } from "../../text/escape.ts";

export default defineCheck({
  id: "tools-list-deterministic-order",
  title: "tools/list keeps its order",
  why: "The list is put before the model as it comes: another order is another prompt, and everything that was cached of it is lost.",
  fix: "Keep the tools in an ordered collection, or sort them by name before you list them; never iterate over a hash set or a map without order.",
  snippet: ["const tools = [...registered.values()].sort((a, b) => (a.name < b.name ? -1 : 1));"],
  effect: "shared",
  needs: { list: lists.tools },
  faults: [
    fault("begins its list with another tool each time", (server) => {
      server.rules.pageSize = 100;
      let turn = 0;
      server.edit("tools/list", (result) => {
        const { tools } = result;
        if (!Array.isArray(tools)) return;
        const first = turn++ % tools.length;
        result["tools"] = [...tools.slice(first), ...tools.slice(0, first)];
      });
    }),
    fault("swaps two of its tools each time they are listed", (server) => {
      server.rules.pageSize = 100;
      let turn = 0;
      server.edit("tools/list", (result) => {
        const { tools } = result;
        if (!Array.isArray(tools)) return;
        const place = turn++ % (tools.length - 1);
        tools.splice(place, 2, tools[place + 1], tools[place]);
      });
    }),
  ],
  async run({ list }, server) {
    const before = namesOf(list.items);
    if (before.length < 2) return skipped("fewer than 2 tools are listed");
    const second = await walk(server, "tools/list", "tools");
    const last = lastOf(second);
    if (second.end === "error") {
      await server.attributed(last, { codes: "any" });
      return blocked(`tools/list failed (${second.error}) when it was asked again`, "tools/list", last);
    }
    const after = namesOf(second.pages.flatMap(({ items }) => (Array.isArray(items) ? items : [])));
    // Whether the set has changed is another question.
    const [one, two] = [before.filter((name) => after.includes(name)), after.filter((name) => before.includes(name))];
    if (one.length < 2) return skipped("fewer than 2 tools are listed both times");
    const place = one.findIndex((name, index) => two[index] !== name);
    const first = list.walk.pages[0]?.exchange;
    if (place === -1) return pass(`${count(one.length, "tool")} twice in the same order`, undefined, first, last);
    const [expected, actual] = [cap(String(one[place]), 40), cap(String(two[place]), 40)];
    return fail(`tool ${expected} in place ${place + 1} again`, `tool ${actual}`, second.pages[0]?.exchange, first);
  },
});

// --- internal ---

const namesOf = (items: readonly unknown[]): readonly string[] =>
  items.flatMap((item) => {
    const name = at(item, "name");
    return typeof name === "string" ? [name] : [];
  });
