import type { Exchange } from "../../model/exchange.ts";
import { isResponse, type Message } from "../../model/message.ts";

/** All responses that came in an exchange, whatever their ids. */
export const responsesIn = (exchange: Exchange | undefined): readonly Message[] =>
  (exchange?.received ?? []).flatMap(({ message }) => (message !== undefined && isResponse(message) ? [message] : []));
