import { lastOf, type Walk } from "../facts/lists.ts";
import { isObject, kindOf } from "../model/json.ts";
import { fail, type Outcome, pass } from "../model/outcome.ts";
import type { Session } from "../model/session.ts";
import { count } from "../text/count.ts";
import { sight } from "./_sight.ts";

/** Judges the form of a list: an array of objects on every page. An empty list is legal. */
export async function listing(
  walk: Walk,
  { noun, capability = noun }: { readonly noun: string; readonly capability?: string },
  server: Session,
): Promise<Outcome> {
  const { method, pages, end, error } = walk;
  for (const page of end === "error" ? pages.slice(0, -1) : pages) {
    if (!Array.isArray(page.items)) return fail(`an array of ${noun} on every page`, kindOf(page.items), page.exchange);
    const odd = page.items.find((item) => !isObject(item));
    if (odd !== undefined) return fail(`an object for each of the ${noun}`, kindOf(odd), page.exchange);
  }
  if (end === "error") {
    const last = await server.attributed(lastOf(walk), { codes: "any" });
    const which = pages.length > 1 ? `page ${pages.length} of ${method}` : `a result of ${method}`;
    return fail(
      `${which}, since ${capability} are declared`,
      last.reply === undefined ? sight(last) : (error ?? ""),
      last,
    );
  }
  const items = pages.reduce((sum, page) => sum + (Array.isArray(page.items) ? page.items.length : 0), 0);
  return pass(
    `${count(items, noun.replace(/s$/, ""))} on ${count(pages.length, "page")}`,
    undefined,
    pages[0]?.exchange,
  );
}
