import { isAuthorizationRefusal } from "../engine/attribution.ts";
import { speaksSse } from "../engine/channel-sse.ts";
import { createContext, viewOf } from "../engine/context.ts";
import { type Exchange, header } from "../model/exchange.ts";
import { isResponse } from "../model/message.ts";
import { revisions } from "../revisions/index.ts";
import { wordsOf } from "./_words.ts";
import type { Hop, Place } from "./evidence.ts";
import { type HttpBench, openAt } from "./open-at.ts";

/** Milliseconds for a place that may be nothing. */
const BRIEF = 5000;
const HOPS = 5;

/** Where else on the origin an MCP endpoint often is. Nothing of the user's goes along: it was meant for another path. */
export function tryPlaces(bench: HttpBench): Promise<readonly Place[]> {
  const { url } = bench.target;
  const path = url.pathname.replace(/\/+$/, "");
  const paths = new Set(["/mcp", "/sse", "/", `${path}/mcp`, `${path}/sse`, path === "" ? "/mcp/" : `${path}/`, path]);
  paths.delete(url.pathname);
  paths.delete("");
  return Promise.all([...paths].map((each) => tryPlace(bench, new URL(each, url.origin))));
}

/** The redirects from an answer on. Only places of the same origin are asked, without credentials. */
export async function followRedirects(bench: HttpBench, exchange: Exchange): Promise<readonly Hop[]> {
  const { origin } = bench.target.url;
  const hops: Hop[] = [];
  let from = bench.target.url;
  let answer = exchange;
  while (hops.length < HOPS) {
    const status = answer.http?.status ?? 0;
    const to = header(answer.http?.headers, "location");
    if (status < 300 || status >= 400 || to === undefined) break;
    const location = URL.canParse(to, from) ? new URL(to, from) : undefined;
    const hop = { from: from.href, status, location: location?.href ?? to };
    if (location === undefined || location.origin !== origin || hops.some((each) => each.from === location.href)) {
      hops.push({ ...hop, mcp: false });
      break;
    }
    answer = await openAt(bench, { ...bench.target, url: location, headers: [] }, timeoutOf(bench));
    hops.push({ ...hop, answer: wordsOf(answer), mcp: isServer(bench, answer) });
    from = location;
  }
  return hops;
}

// --- internal ---

const timeoutOf = ({ times }: HttpBench): number => Math.min(times.request, BRIEF);

/** Whether a response came, a refusal included; a stream of notifications shows nothing of the place. */
const isAnswered = ({ received, http }: Exchange): boolean =>
  ![404, 405, 410].includes(http?.status ?? 0) &&
  received.some(({ message }) => message?.jsonrpc !== undefined && isResponse(message));

const isServer = ({ target }: HttpBench, exchange: Exchange): boolean =>
  isAnswered(exchange) || isAuthorizationRefusal(exchange, viewOf({ ...target, headers: [] }));

async function tryPlace(bench: HttpBench, url: URL): Promise<Place> {
  const target = { ...bench.target, url, headers: [] };
  const exchange = await openAt(bench, target, timeoutOf(bench));
  const answer = wordsOf(exchange);
  if (isAnswered(exchange)) return { url: url.href, answer, found: "mcp" };
  if (isServer(bench, exchange)) return { url: url.href, answer, found: "locked" };
  const { recorder, times } = bench;
  const brief = { ...times, request: timeoutOf(bench) };
  const context = createContext({ revision: revisions["2025-11-25"], target, recorder, times: brief });
  const found = (await speaksSse(context, target)) ? ("sse" as const) : ("nothing" as const);
  return { url: url.href, answer, found };
}
