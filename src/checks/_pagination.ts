import { lastOf, PAGES, type Page, type Walk } from "../facts/lists.ts";
import type { Exchange } from "../model/exchange.ts";
import { at, kindOf, same } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { fail, type Outcome, pass } from "../model/outcome.ts";
import type { Server } from "../model/session.ts";
import { count } from "../text/count.ts";
import { cap } from "../text/escape.ts";
import { sight } from "./_sight.ts";

/** What a list holds, and by which member its items are told apart. */
export interface Paged {
  readonly noun: string;
  readonly key: string;
}

/** Judges a list that comes in pages: string cursors, an end, nothing twice, and the same page for the same cursor. */
export async function paging(walk: Walk, { noun, key }: Paged, server: Server): Promise<Outcome> {
  const { method, pages, end } = walk;
  const last = lastOf(walk);
  if (end === "error") {
    await server.attributed(last, { codes: "any" });
    return fail("a page for a cursor that the server gave", sight(last), last);
  }
  const odd = pages.find((page) => !Array.isArray(page.items));
  if (odd !== undefined) return fail(`an array of ${noun} on every page`, kindOf(odd.items), odd.exchange);
  const next = pages.at(-1)?.nextCursor;
  if (end === "bad-cursor") return fail("a string for nextCursor, or none at all", kindOf(next), last);
  if (end === "loop") {
    return fail("a cursor that leads on", `${quoted(next)} once more after page ${pages.length}`, last);
  }
  const copy = pages.find(
    (page, index) => size(page) > 0 && pages.slice(0, index).some((before) => copies(before, page)),
  );
  if (copy !== undefined)
    return fail("a further page for each cursor", `page ${before(pages, copy)} once more`, copy.exchange);
  const twice = repeated(pages, key);
  if (twice !== undefined) return fail(`each of the ${noun} once`, `${quoted(twice.value)} twice`, twice.page.exchange);
  // Empty pages may come in between, and a list may be long; but one that goes on with nothing has no end.
  if (end === "bound" && pages.slice(-EMPTY).every((page) => size(page) === 0)) {
    return fail("an end of the list", `${EMPTY} empty pages in a row, and a cursor for one more`, last);
  }
  const second = pages[1];
  const cursor = second?.cursor;
  if (second === undefined || cursor === undefined) throw new TypeError(`${method} has no second page to judge`);
  const repeat = await again(server, method, noun, key, cursor, keysOf(second.items, key));
  if (repeat.status !== "pass") return repeat;
  const saw = `${count(pages.length, "page")} of ${noun}, the second of them twice alike`;
  const notes = [
    ...(end === "bound" ? [`no more than ${PAGES} pages were read`] : []),
    ...(repeat.note === undefined ? [] : [repeat.note]),
  ];
  return pass(saw, notes.length > 0 ? notes.join("; ") : undefined, second.exchange, last);
}

// --- internal ---

/** So many pages in a row without an item, where no end was reached. */
const EMPTY = 20;

/** Asks for the second page once more. Where it differs the list itself may have changed, so a fresh cursor decides. */
async function again(
  server: Server,
  method: string,
  noun: string,
  key: string,
  cursor: string,
  expected: readonly unknown[],
): Promise<Outcome> {
  const ask = async (cursor: string) => {
    const exchange = await server.request(method, { cursor });
    const items = at(resultOf(exchange.reply), noun);
    return { exchange, keys: Array.isArray(items) ? keysOf(items, key) : undefined };
  };
  const repeat = await ask(cursor);
  if (alike(repeat.keys, expected)) return pass("the same page");
  const fresh = at(resultOf((await server.request(method)).reply), "nextCursor");
  if (typeof fresh === "string") {
    const [one, two] = [await ask(fresh), await ask(fresh)];
    if (alike(one.keys, two.keys)) {
      return pass("the same page", `the ${noun} were others when they were listed again`);
    }
  }
  return fail("the same page for the same cursor", differing(repeat.exchange, repeat.keys), repeat.exchange);
}

const differing = (exchange: Exchange, keys: readonly unknown[] | undefined): string =>
  keys === undefined ? sight(exchange) : `another page, which begins with ${quoted(keys[0])}`;

const size = ({ items }: Page): number => (Array.isArray(items) ? items.length : 0);
const copies = (a: Page, b: Page): boolean => same(a.items, b.items);
/** The order of items on a page is free. */
const alike = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean =>
  a !== undefined && b !== undefined && same(a.map(String).sort(), b.map(String).sort());
const before = (pages: readonly Page[], copy: Page): number => pages.findIndex((page) => copies(page, copy)) + 1;
const keysOf = (items: unknown, key: string): readonly unknown[] =>
  Array.isArray(items) ? items.map((item) => at(item, key) ?? null) : [];

function repeated(pages: readonly Page[], key: string) {
  const seen = new Set<unknown>();
  for (const page of pages) {
    for (const value of keysOf(page.items, key)) {
      if (typeof value === "string" && seen.has(value)) return { page, value };
      seen.add(value);
    }
  }
  return undefined;
}

const quoted = (value: unknown): string => (typeof value === "string" ? JSON.stringify(cap(value, 40)) : kindOf(value));
