import type { Exchange } from "../../model/exchange.ts";
import { at } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { sight } from "../_sight.ts";

/** Whether the request was served: with a result that does not report an error. */
export const isServed = (exchange: Exchange): boolean =>
  resultOf(exchange.reply) !== undefined &&
  at(exchange.reply, "result", "isError") !== true &&
  (exchange.http?.status ?? 200) < 400;

/** The kind of the answer, as a noun phrase. */
export const kindOfAnswer = (exchange: Exchange): string =>
  at(exchange.reply, "result", "isError") === true ? "a result that reports an error" : sight(exchange);
