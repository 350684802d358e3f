import type { Exchange, Transcript } from "../../model/exchange.ts";
import { skipped } from "../../model/outcome.ts";

/** The outcome where a GET of our own met the stream that the common session holds: that one is then judged instead. */
export const occupied = skipped("HTTP 409: the server keeps one stream, and the common session of this run holds it");

/** The stream of the common session, where it was in the way of this check's own. */
export function inTheWay(transcript: Transcript, check: string): Exchange | undefined {
  const met = transcript.some((each) => each.sender === check && isGet(each) && each.http?.status === 409);
  return met ? transcript.find((each) => each.sender === "listen") : undefined;
}

export const isGet = ({ sent }: Exchange): boolean => sent.http?.method === "GET";
