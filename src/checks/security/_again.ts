import type { Exchange } from "../../model/exchange.ts";
import { isObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import type { HttpInit } from "../../model/session.ts";

/** The message of an exchange under another id, as a body to be sent in another frame. */
export function again({ sent }: Exchange, id: string): string {
  const json: unknown = JSON.parse(sent.text);
  if (!isObject(json)) throw new TypeError("no message was sent in that exchange");
  return JSON.stringify({ ...json, id });
}

/** An exchange to be had once more with the headers it had, those aside that are dropped. */
export function likeBefore(exchange: Exchange, id: string, ...dropped: readonly string[]): HttpInit {
  const gone = new Set(dropped.map((name) => name.toLowerCase()));
  const headers = (exchange.sent.http?.headers ?? []).filter(([name]) => !gone.has(name.toLowerCase()));
  return { frame: "none", set: Object.fromEntries(headers), body: again(exchange, id), id };
}

/** Whether a request was served: a result came, whatever is in it. */
export const isServed = ({ reply, http }: Exchange): boolean =>
  resultOf(reply) !== undefined && (http?.status ?? 200) < 400;

export const statusOf = ({ http }: Exchange): number => http?.status ?? 0;

export const isClientError = (exchange: Exchange): boolean => statusOf(exchange) >= 400 && statusOf(exchange) < 500;
