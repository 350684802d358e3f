import type { Exchange, Transcript } from "../model/exchange.ts";

export const exchangeOf = (transcript: Transcript, n: number): Exchange | undefined =>
  transcript.find((exchange) => exchange.n === n);

/** What was sent, as text: the line, or the HTTP method, URL and body. */
export function sentText({ sent }: Exchange): string {
  if (sent.http === undefined) return sent.text;
  const head = `${sent.http.method} ${sent.http.url}`;
  return sent.text === "" ? head : `${head}\n\n${sent.text}`;
}

/** What came back, as text: the messages, else the HTTP body. Empty where nothing came. */
export const receivedText = ({ received, http }: Exchange): string =>
  received.length > 0 ? received.map((each) => each.text).join("\n") : (http?.body ?? "");

/** Whether the wire kept less than the server sent. */
export const isCut = ({ received, http }: Exchange): boolean =>
  http?.truncated === true || received.some((each) => each.problem === "too-long");

/** How the exchange ended, for a reader who sees no answer. */
export function ending(exchange: Exchange): string {
  const cause = exchange.cause === undefined ? "" : `: ${exchange.cause}`;
  return `${END[exchange.end](exchange)}${cause}`;
}

/** The longest beginning of the text that fits in `max` bytes of UTF-8. */
export function firstBytes(text: string, max: number): string {
  // Every UTF-16 unit takes a byte at least.
  const start = text.slice(0, max);
  return start.slice(0, new TextEncoder().encodeInto(start, new Uint8Array(max)).read);
}

const END: Readonly<Record<Exchange["end"], (exchange: Exchange) => string>> = {
  reply: () => "an empty answer",
  complete: () => "an empty answer",
  timeout: ({ ms }) => `no answer within ${Math.round(ms)} ms`,
  closed: ({ http }) => (http === undefined ? "closed without an answer" : "broken off"),
  unreachable: ({ sent }) => (sent.http === undefined ? "nothing was started" : "nobody listens there"),
  "none-due": () => "no answer was due",
  unsolicited: () => "sent unasked",
};
