import type { List, Page, Walk } from "../facts/lists.ts";
import type { Exchange } from "../model/exchange.ts";
import { type Fault, fault } from "../model/fault.ts";
import { isObject, kindOf } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { type Complaint, each, type Outcome } from "../model/outcome.ts";
import { cap } from "../text/escape.ts";

/** Judges the hints of complete results: how long they may be kept, and by whom. */
export function hinted(exchanges: readonly Exchange[]): Outcome {
  const complete = exchanges.filter(isComplete);
  const bad = complete.find((exchange) => complaint(resultOf(exchange.reply)) !== undefined);
  return each("complete results with ttlMs and cacheScope", complete, ({ reply }) => complaint(resultOf(reply)), [
    bad ?? complete[0],
  ]);
}

/** The same for each page of a list. */
export const hintedPages = ({ walk }: List | { readonly walk: Walk }): Outcome =>
  hinted(walk.pages.map(({ exchange }: Page) => exchange));

/** Whether a request was answered with a result that is not one in between. */
export function isComplete({ reply }: Exchange): boolean {
  const result = resultOf(reply);
  const type = isObject(result) ? (result["resultType"] ?? "complete") : undefined;
  return type === "complete";
}

/** What is wrong with the hints of one result (2026-07-28, server/utilities/caching#cacheable-results). */
export function complaint(result: unknown): Complaint {
  if (!isObject(result)) return ["an object for a result", kindOf(result)];
  const { ttlMs, cacheScope } = result;
  if (!Number.isInteger(ttlMs) || Number(ttlMs) < 0) return ["an integer ttlMs of at least 0", told(ttlMs)];
  if (cacheScope !== "public" && cacheScope !== "private") {
    return ['cacheScope "public" or "private"', told(cacheScope)];
  }
  return undefined;
}

/** The ways in which one method's results lack them. */
export function cachingFaults(method: string): readonly [Fault, ...Fault[]] {
  const also = { alsoFails: ["schema-wire-valid"] };
  return [
    fault(
      `gives no hints on caching with ${method}`,
      (server) => {
        server.drop(method, ["ttlMs"]);
        server.drop(method, ["cacheScope"]);
      },
      also,
    ),
    fault(`leaves ttlMs out of ${method}`, (server) => server.drop(method, ["ttlMs"]), also),
    fault(`leaves cacheScope out of ${method}`, (server) => server.drop(method, ["cacheScope"]), also),
    fault(`gives ${method} a negative ttlMs`, (server) => server.put(method, ["ttlMs"], -1), also),
    fault(`gives ${method} a ttlMs in parts of a millisecond`, (server) => server.put(method, ["ttlMs"], 0.5), also),
    fault(`gives ${method} its ttlMs as text`, (server) => server.put(method, ["ttlMs"], "60000"), also),
    fault(`gives ${method} a ttlMs of null`, (server) => server.put(method, ["ttlMs"], null), also),
    fault(`gives ${method} the cacheScope no-store`, (server) => server.put(method, ["cacheScope"], "no-store"), also),
    fault(`gives ${method} a cacheScope in capitals`, (server) => server.put(method, ["cacheScope"], "PUBLIC"), also),
  ];
}

/** Where only the later pages of a list lack them. */
export const laterPageFault = (method: string): Fault =>
  fault(
    `gives hints on caching with the first page of ${method} only`,
    (server) =>
      server.edit(method, (result, { params }) => {
        if (params["cursor"] !== undefined) delete result["ttlMs"];
      }),
    { alsoFails: ["schema-wire-valid"] },
  );

// --- internal ---

const told = (value: unknown): string =>
  typeof value === "number" || typeof value === "string" ? cap(JSON.stringify(value), 40) : kindOf(value);
