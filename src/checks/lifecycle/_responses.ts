import type { Exchange, Received, Transcript } from "../../model/exchange.ts";
import { at, isObject, kindOf } from "../../model/json.ts";
import { isResponse, type Message } from "../../model/message.ts";
import type { Complaint } from "../../model/outcome.ts";

/** A response, and the exchange in which it came. */
export interface Response {
  readonly exchange: Exchange;
  readonly message: Message;
}

/** All that came as a response, also where it lacks its result, or came within an array. */
export const responsesIn = (transcript: Transcript): readonly Response[] =>
  transcript.flatMap((exchange) =>
    exchange.received
      .filter((each) => isOfTheEndpoint(exchange, each))
      .flatMap(({ message, json }): readonly unknown[] =>
        message === undefined && Array.isArray(json) ? json : [message],
      )
      .flatMap((message) => (isObject(message) && answers(message) ? [{ exchange, message }] : [])),
  );

/** Arrays of responses that came for single messages; legal only where a batch was sent, or before 2025-06-18. */
export const wrapped = (transcript: Transcript): readonly Exchange[] =>
  transcript.filter(
    (exchange) =>
      exchange.received.some(
        (each) =>
          Array.isArray(each.json) &&
          isOfTheEndpoint(exchange, each) &&
          each.json.some((one) => isObject(one) && answers(one)),
      ) && !batched(transcript, exchange),
  );

/** What keeps a message from being a JSON-RPC 2.0 response. */
export function complaint(message: Message): Complaint {
  if (message.jsonrpc !== "2.0") return ['jsonrpc "2.0" in a response', `jsonrpc ${told(message.jsonrpc)}`];
  if (message.result !== undefined && message.error !== undefined) return ["either a result or an error", "both"];
  if (message.result !== undefined) return undefined;
  if (message.error === undefined) return ["either a result or an error", "neither"];
  if (!isObject(message.error)) return ["an error object", kindOf(message.error)];
  const { code, message: words } = message.error;
  if (!Number.isInteger(code)) return ["an integer error code", told(code)];
  return typeof words === "string" ? undefined : ["a text for an error message", kindOf(words)];
}

/** Whether a message was sent before that can't be read as one: the error to it has no id to give back. */
export const provoked = (transcript: Transcript, { session, n }: Exchange): boolean =>
  transcript.some(
    (each) => each.session === session && each.n < n && each.sent.text !== "" && !isMessage(each.sent.text),
  );

// --- internal ---

const ASIDE: readonly number[] = [401, 403, 429];

const told = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 60);

const answers = (message: Message): boolean =>
  isResponse(message) || (message.jsonrpc !== undefined && message.id !== undefined && message.method === undefined);

/** Other pages of a host, and the bodies of HTTP refusals, are JSON-RPC only if they say so. */
function isOfTheEndpoint({ http, sent, received }: Exchange, each: Received): boolean {
  if (http === undefined || each.from === "sse") return true;
  // What stands before the server may have written these.
  if (ASIDE.includes(http.status)) return false;
  if (sent.http?.method === "POST" && http.status < 400) return true;
  return received.some(({ message, json }) => message?.jsonrpc !== undefined || at(json, 0, "jsonrpc") !== undefined);
}

function batched(transcript: Transcript, { session, sent, n, http }: Exchange): boolean {
  if (sent.text.trimStart().startsWith("[")) return true;
  const before = transcript.filter((each) => each.session === session && each.n <= n);
  const version = before.flatMap(({ reply }) => at(reply?.result, "protocolVersion") ?? [])[0];
  if (version === "2025-03-26") return true;
  return http === undefined && before.some((each) => each.sent.text.trimStart().startsWith("["));
}

function isMessage(text: string): boolean {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .every((line) => {
      try {
        const json: unknown = JSON.parse(line);
        return isObject(json) && json["jsonrpc"] === "2.0" && (typeof json["method"] === "string" || isResponse(json));
      } catch {
        return false;
      }
    });
}
