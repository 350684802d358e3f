import type { Exchange } from "../../model/exchange.ts";
import { Blocked, blocked, type Outcome, skipped } from "../../model/outcome.ts";
import type { HttpInit, Opened, RawHttp, Server } from "../../model/session.ts";
import { isServed, likeBefore, statusOf } from "./_again.ts";

/** The opening request once more, outside any session and without the user's credential, or with another one. */
export function openingWith(
  server: Server & RawHttp,
  { exchange }: Opened,
  authorization?: string,
  more: HttpInit = {},
): Promise<Exchange> {
  const { set, ...init } = likeBefore(exchange, server.unique(), "Authorization");
  const credential = authorization === undefined ? {} : { Authorization: authorization };
  return server.http({ ...init, set: { ...set, ...credential }, raw: true, ...more });
}

/** The opening without a credential: the run's own, where the user gave none. */
export const openingWithout = async (server: Server & RawHttp, opened: Opened): Promise<Exchange> =>
  server.target.credential ? openingWith(server, opened) : opened.exchange;

/** Why a row that compares with a valid credential can't, or undefined where one is wanted and ours is taken. */
export async function incomparable(server: Server & RawHttp, opened: Opened): Promise<Outcome | undefined> {
  if (!server.target.credential) return skipped("there is no valid credential to compare with (pass --auth)");
  if (opened.refusal !== undefined) {
    const refused = [401, 403].includes(statusOf(opened.exchange));
    return blocked(
      refused ? `the given credential is refused (HTTP ${statusOf(opened.exchange)})` : opened.refusal,
      refused ? "authorization" : "opening",
      opened.exchange,
    );
  }
  return isServed(await openingWith(server, opened))
    ? skipped("the server is open: it serves without a credential, and authorization is optional")
    : undefined;
}

/** Applies the general rules to the refusal of a credential that is wrong by design: a 403 counts while ours is served. */
export async function attributedRefusal(server: Server, exchange: Exchange): Promise<void> {
  if (statusOf(exchange) !== 403) {
    await server.attributed(exchange);
    return;
  }
  const known = await server.attributed(await server.control());
  if (!isServed(known)) {
    throw new Blocked("HTTP 403, and the valid credential is refused too", "authorization", exchange, known);
  }
}

/** The challenges of an answer, all WWW-Authenticate headers in one. */
export const challengeOf = ({ http }: Exchange): string =>
  (http?.headers ?? [])
    .filter(([name]) => name.toLowerCase() === "www-authenticate")
    .map(([, value]) => value)
    .join(", ");

/** What came, where a refusal was due. */
export const outcomeOf = (exchange: Exchange): string => {
  const status = `HTTP ${statusOf(exchange)}`;
  if (isServed(exchange)) return `served (${status})`;
  return exchange.reply === undefined ? status : `${status} with an error`;
};
