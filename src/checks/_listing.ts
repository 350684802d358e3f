import type { Walk } from "../facts/lists.ts";
import { isObject, kindOf } from "../model/json.ts";
import { fail, type Outcome, pass } from "../model/outcome.ts";

/** Judges the form of a list: an array of objects on every page. An empty list is legal. */
export function listing({ method, pages, end, error }: Walk, noun: string): Outcome {
  const last = pages.at(-1)?.exchange;
  if (end === "error" && pages.length <= 1)
    return fail(`a result of ${method}, since ${noun} is declared`, error ?? "none", last);
  for (const page of pages) {
    if (end === "error" && page === pages.at(-1)) continue;
    if (!Array.isArray(page.items)) return fail(`an array of ${noun} on every page`, kindOf(page.items), page.exchange);
    const odd = page.items.find((item) => !isObject(item));
    if (odd !== undefined) return fail(`an object for each of the ${noun}`, kindOf(odd), page.exchange);
  }
  const count = pages.reduce((sum, page) => sum + (Array.isArray(page.items) ? page.items.length : 0), 0);
  return pass(
    `${count} ${noun} on ${pages.length} page${pages.length === 1 ? "" : "s"}`,
    undefined,
    pages[0]?.exchange,
  );
}
