import type { Exchange } from "../model/exchange.ts";
import { rpcError } from "../model/message.ts";
import { fail, type Outcome, pass } from "../model/outcome.ts";
import type { Server } from "../model/session.ts";
import { sight } from "./_sight.ts";

/**
 * The exchange with the error that came for it as its reply, whatever id that bears: a message that can't be read has
 * none to give back. The number stays, so it can be cited as the one it was.
 */
export function settled(exchange: Exchange): Exchange {
  if (exchange.reply !== undefined) return exchange;
  const reply = exchange.received.find(({ message }) => rpcError(message) !== undefined)?.message;
  return reply === undefined ? exchange : { ...exchange, reply, end: "reply" };
}

/** Whether a status says no in the server's own words: 4xx. */
export const isRefusal = ({ http }: Exchange): boolean => http !== undefined && http.status >= 400 && http.status < 500;

/** Judges a message that has to be refused: by an attributable 4xx or by a JSON-RPC error; a 5xx only with `codes`. */
export async function refusal(
  server: Server,
  probe: Exchange,
  what: string,
  codes: readonly number[],
): Promise<Outcome> {
  const exchange = settled(probe);
  const served = exchange.received.find(({ message }) => message?.result !== undefined);
  if (served !== undefined) return fail(`a refusal of ${what}`, "a result", exchange);
  await server.attributed(exchange, { codes });
  const refused = rpcError(exchange.reply) !== undefined || isRefusal(exchange);
  return refused ? pass(sight(exchange), undefined, exchange) : fail(`a refusal of ${what}`, sight(exchange), exchange);
}
