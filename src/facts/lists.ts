import type { Exchange } from "../model/exchange.ts";
import { absent, broken, defineFact, type Fact, known } from "../model/fact.ts";
import { at, isObject, type JsonObject, same } from "../model/json.ts";
import { resultOf, rpcError } from "../model/message.ts";
import type { Session } from "../model/session.ts";
import { oneLine } from "../text/escape.ts";
import { capabilities } from "./opening.ts";

/** One page of a list as it came. */
export interface Page {
  readonly exchange: Exchange;
  /** The member that should be the array of items, whatever it is. */
  readonly items: unknown;
  readonly nextCursor: unknown;
  /** The cursor it was asked with. */
  readonly cursor: string | undefined;
}

/** How the walk through a list ended. */
export type WalkEnd = "end" | "error" | "loop" | "bound" | "bad-cursor";

/** A walk through all pages: at most 50, and none twice. */
export interface Walk {
  readonly method: string;
  readonly pages: readonly Page[];
  readonly end: WalkEnd;
  /** What ended it instead of a page, in words; whether it is the server's own answer is not yet known. */
  readonly error?: string;
}

/** A list that can be used: its pages, and all their items in order. */
export interface List {
  readonly walk: Walk;
  readonly items: readonly unknown[];
}

export const PAGES = 50;

type Kind = "tools" | "resources" | "templates" | "prompts";

const KINDS = {
  tools: { capability: "tools", method: "tools/list", key: "tools" },
  resources: { capability: "resources", method: "resources/list", key: "resources" },
  templates: { capability: "resources", method: "resources/templates/list", key: "resourceTemplates" },
  prompts: { capability: "prompts", method: "prompts/list", key: "prompts" },
} as const;

/** The walk itself, for checks that judge the listing. */
export const walks = perKind((kind) => {
  const { capability, method, key } = KINDS[kind];
  return defineFact<Walk, { capabilities: typeof capabilities }>({
    name: method,
    needs: { capabilities },
    learn: async ({ capabilities }, session) =>
      capabilities[capability] === undefined
        ? absent(`the server does not declare ${capability}`)
        : known(await walk(session, method, key)),
  });
});

/** The items, for checks that judge or use them. Broken where the walk is; empty where nothing is listed. */
export const lists = perKind((kind) => {
  const walked = walks[kind];
  return defineFact<List, { walked: Fact<Walk> }>({
    name: KINDS[kind].method,
    needs: { walked },
    async learn({ walked }, session) {
      if (walked.end === "error") await session.attributed(lastOf(walked), { codes: "any" });
      const bad = walked.pages.find((page) => !Array.isArray(page.items));
      const cites = walked.pages.map((page) => page.exchange.n);
      if (walked.end === "error" || bad !== undefined) {
        const reason = walked.error ?? `a page without an array ${KINDS[kind].key}`;
        return broken(`${walked.method} failed (${reason}); there is no list to judge`, walked.method, cites);
      }
      return known({ walk: walked, items: distinct(walked.pages) });
    },
  });
});

/** The walk through a list that has further pages. Broken where the list has not even a first one. */
export const paged = perKind((kind) => {
  const walked = walks[kind];
  return defineFact<Walk, { walked: Fact<Walk> }>({
    name: `${KINDS[kind].method} pages`,
    needs: { walked },
    async learn({ walked }, session) {
      const { method, pages, end, error } = walked;
      if (end === "error" && pages.length === 1) await session.attributed(lastOf(walked), { codes: "any" });
      const noFirst = error !== undefined && pages.length === 1 ? error : undefined;
      const reason =
        noFirst ?? (Array.isArray(pages[0]?.items) ? undefined : `a page without an array ${KINDS[kind].key}`);
      if (reason !== undefined) {
        return broken(`${method} failed (${reason}); there are no pages to judge`, method, [lastOf(walked).n]);
      }
      if (end === "end" && pages.length === 1) return absent(`${method} has one page: no nextCursor came`);
      return known(walked);
    },
  });
});

/** The exchanges of a list, as evidence. */
export const pagesOf = ({ walk }: List): readonly Exchange[] => walk.pages.map((page) => page.exchange);

/** The items of all pages; those of a page that came twice are taken once. */
export const itemsOf = ({ pages }: Walk): readonly unknown[] => distinct(pages);

/** The exchange with which a walk ended. */
export function lastOf({ method, pages }: Walk): Exchange {
  const last = pages.at(-1);
  if (last === undefined) throw new TypeError(`a walk through ${method} without a page`);
  return last.exchange;
}

// --- internal ---

function distinct(pages: readonly Page[]): readonly unknown[] {
  return pages.flatMap(({ items }, index) => {
    const again = pages.slice(0, index).some((before) => same(before.items, items));
    return Array.isArray(items) && !again ? items : [];
  });
}

function perKind<T>(make: (kind: Kind) => T): { readonly [K in Kind]: T } {
  return { tools: make("tools"), resources: make("resources"), templates: make("templates"), prompts: make("prompts") };
}

/** Walks through a list on any session; nothing is judged and nothing thrown for what the server did. */
export async function walk(session: Session, method: string, key: string): Promise<Walk> {
  const pages: Page[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (pages.length < PAGES) {
    const params: JsonObject | undefined = cursor === undefined ? undefined : { cursor };
    const exchange = await session.send(method, params);
    const result = resultOf(exchange.reply);
    if (!isObject(result)) {
      // A line that was cut short swallows the next one, so what is sent next must not decide whether anybody is there.
      if (session.transport === "stdio" && exchange.end === "timeout") await session.control();
      pages.push({ exchange, items: undefined, nextCursor: undefined, cursor });
      return { method, pages, end: "error", error: problem(exchange) };
    }
    const next = at(result, "nextCursor");
    pages.push({ exchange, items: at(result, key), nextCursor: next, cursor });
    if (next === undefined) return { method, pages, end: "end" };
    if (typeof next !== "string") return { method, pages, end: "bad-cursor" };
    if (seen.has(next)) return { method, pages, end: "loop" };
    seen.add(next);
    cursor = next;
  }
  return { method, pages, end: "bound" };
}

function problem({ reply }: Exchange): string {
  if (reply === undefined) return "no response";
  const error = rpcError(reply);
  return error === undefined ? "no result object" : `JSON-RPC error ${error.code} (${oneLine(error.message, 60)})`;
}
