import type { Exchange } from "../../model/exchange.ts";
import { isObject } from "../../model/json.ts";
import type { RawHttp, Server } from "../../model/session.ts";
import { scopeOf } from "../../text/scan-address.ts";
import { statusOf } from "./_again.ts";
import { challengeOf } from "./_auth.ts";

/** Where the protected resource metadata was looked for, and what was there. */
export interface Metadata {
  /** The document, or the last answer that was none. */
  readonly exchange?: Exchange;
  /** The document, where it is a JSON object. */
  readonly document?: { readonly [key: string]: unknown };
  /** The address in the challenge, where there is one. */
  readonly named?: string;
  /** Set where the challenge names a place that must not be asked: another host. */
  readonly elsewhere?: string;
}

/** Looks at the URL of the challenge, else at the well-known path of the endpoint, else at the root's. */
export async function findMetadata(server: Server & RawHttp, refused: Exchange): Promise<Metadata> {
  const target = server.target.url;
  if (target === undefined) throw new TypeError("metadata is a thing of HTTP");
  const named = resourceMetadata(refused);
  if (named !== undefined) {
    const url = URL.canParse(named) ? new URL(named) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) return { named };
    const here = sameHost(url, target) ? withHostOf(url, target) : undefined;
    if (here === undefined) return { named, elsewhere: url.host };
    return { named, ...(await get(server, here)) };
  }
  const path = target.pathname.replace(/\/$/, "");
  let last: Metadata = {};
  for (const place of new Set([`${WELL_KNOWN}${path}`, WELL_KNOWN])) {
    last = await get(server, new URL(place, target.origin).href);
    if (last.document !== undefined) return last;
  }
  return last;
}

/** The URL in the Bearer challenge of a 401 (RFC 9728 section 5.1). */
export function resourceMetadata(refused: Exchange): string | undefined {
  const challenge = challengeOf(refused);
  if (!/(?:^|,)\s*bearer\b/i.test(challenge)) return undefined;
  const found = /\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))/i.exec(challenge);
  return found?.[1] ?? found?.[2];
}

/** Whether two hosts are the same, this machine by whatever name. */
export const sameHost = (one: URL, two: URL): boolean =>
  portOf(one) === portOf(two) &&
  (one.hostname === two.hostname || (scopeOf(one.hostname) === "loopback" && scopeOf(two.hostname) === "loopback"));

// --- internal ---

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** The same place by the name that the user gave. */
const withHostOf = (url: URL, target: URL): string => new URL(url.pathname + url.search, target.origin).href;

/** Metadata is public: no credential goes along. */
async function get(server: Server & RawHttp, url: string): Promise<Metadata> {
  const exchange = await server.http({ method: "GET", url, frame: "none", set: { Accept: "application/json" } });
  const status = statusOf(exchange);
  // That it is missing or locked away is an answer; that the server failed is judged by the general rules.
  if (exchange.http === undefined || status === 429 || status >= 500) await server.attributed(exchange);
  const json: unknown = status === 200 ? exchange.received[0]?.message : undefined;
  return isObject(json) ? { exchange, document: json } : { exchange };
}
