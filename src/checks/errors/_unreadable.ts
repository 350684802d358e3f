import type { Bendable, HttpPlan } from "../../model/bendable.ts";
import type { Exchange } from "../../model/exchange.ts";
import { rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { isRefusal, settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

/** A message that was cut off. */
export const TORN = '{"jsonrpc":"2.0","id":1,';

/** A bend of the answer to bodies that are no JSON. */
export const onUnreadable = (how: (body: string) => HttpPlan) => (server: Bendable) =>
  server.gate(({ method, json, body }) => (method === "POST" && json === undefined ? how(body) : undefined));

/** Judges the code of a refusal; its body is optional over HTTP, so a 4xx without one passes with a note. */
export async function refusedWith(
  server: Server,
  probe: Exchange,
  code: number,
  ids: readonly unknown[],
  what: string,
): Promise<Outcome> {
  const exchange = settled(probe);
  await server.attributed(exchange, { codes: [code] });
  const error = rpcError(exchange.reply);
  if (error === undefined) {
    return isRefusal(exchange)
      ? pass(
          sight(exchange),
          `${what} is refused by status alone: the JSON-RPC error in the body is optional`,
          exchange,
        )
      : fail(`error ${code}`, sight(exchange), exchange);
  }
  if (error.code !== code) return fail(`error ${code}`, sight(exchange), exchange);
  const id = exchange.reply?.id;
  return id === undefined || id === null || ids.includes(id)
    ? pass(sight(exchange), undefined, exchange)
    : fail("an error without an id, since none could be read", `an error with id ${JSON.stringify(id)}`, exchange);
}
