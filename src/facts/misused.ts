import type { Exchange } from "../model/exchange.ts";
import { defineFact, known } from "../model/fact.ts";
import { at } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { opened } from "./opening.ts";
import { answersTo } from "./provoked.ts";
import { isReadOnly, safest } from "./tools.ts";

/** Calls of tools without the arguments that they require: where errors come from most, so that they can be read. */
export const misused = defineFact<readonly Exchange[], { opened: typeof opened }>({
  name: "calls without arguments",
  needs: { opened },
  async learn({ opened }, server) {
    const declared = at(resultOf(opened.exchange.reply), "capabilities", "tools");
    if (opened.refusal !== undefined || declared === undefined) return known([]);
    const listed = at(resultOf((await server.send("tools/list")).reply), "tools");
    const usable = safest(Array.isArray(listed) ? listed : []);
    const reading = usable.filter(isReadOnly);
    const chosen = (reading.length > 0 ? reading : usable.slice(0, 1)).filter(requires).slice(0, CALLS);
    return known(
      await answersTo(
        server,
        chosen.map(({ name }) => ["tools/call", { name, arguments: {} }]),
      ),
    );
  },
});

// --- internal ---

const CALLS = 3;

function requires({ inputSchema }: { readonly inputSchema: unknown }): boolean {
  const required = at(inputSchema, "required");
  return Array.isArray(required) && required.length > 0;
}
