import { type Exchange, header, mediaType, type Received, type Transcript } from "../model/exchange.ts";
import { at, isObject } from "../model/json.ts";
import { isResponse, type Message, rpcError } from "../model/message.ts";

/** A message of the server in its modern era, and what it answers. */
export interface Heard {
  readonly exchange: Exchange;
  readonly message: Message;
  /** The request that it answers, where that is known; over HTTP the one that was posted, whatever id comes back. */
  readonly request?: Message;
  /** Whether it came within an array. */
  readonly batched: boolean;
  /** Whether it was asked for with another credential or Origin, which servers may judge before anything else. */
  readonly stranger: boolean;
}

/** All messages of the endpoint but those of legacy traffic: what a dual-era server says there is judged elsewhere. */
export function heardIn(transcript: Transcript): readonly Heard[] {
  const legacy = legacyProcesses(transcript);
  const asked = requestsById(transcript);
  const usual = credentialOf(transcript[0]);
  return transcript.flatMap((exchange) => {
    if (isLegacy(exchange) || legacy.has(exchange.session)) return [];
    return exchange.received
      .filter((each) => isOfTheEndpoint(exchange, each))
      .flatMap(messagesOf)
      .flatMap(({ message, batched }): readonly Heard[] => {
        const request = isAnswer(message) ? answered(exchange, message, asked) : undefined;
        if (request !== undefined && !isModern(request)) return [];
        const stranger = credentialOf(exchange) !== usual || sentHeader(exchange, "origin") !== undefined;
        return [{ exchange, message, batched, stranger, ...(request === undefined ? {} : { request }) }];
      });
  });
}

/** Whether the exchange is of the legacy era: a request that doesn't say its revision, as none did before 2026-07-28. */
export const isLegacy = ({ request, sender }: Exchange): boolean =>
  sender === "lifecycle-dual-era" ||
  (request !== undefined && typeof request.method === "string" && request.id !== undefined && !isModern(request));

/** Whether a request could be read without any doubt: well-formed, of one message, and declared as JSON. */
export function isWellFormed({ exchange, request, batched }: Pick<Heard, "exchange" | "request" | "batched">): boolean {
  if (request === undefined || batched || exchange.sent.text.trimStart().startsWith("[")) return false;
  const { jsonrpc, id, method, params } = request;
  const type = sentHeader(exchange, "content-type");
  return (
    jsonrpc === "2.0" &&
    typeof method === "string" &&
    (typeof id === "string" || Number.isInteger(id)) &&
    (params === undefined || isObject(params)) &&
    (type === undefined || /^application\/json\s*(;|$)/i.test(type))
  );
}

/** Whether the message answers a request whose id the server must have read, unless it never looked at the body. */
export const isOfReadRequest = (one: Heard): boolean =>
  isWellFormed(one) &&
  !one.stranger &&
  !UNREAD.includes(one.exchange.http?.status ?? 200) &&
  rpcError(one.message)?.code !== PARSE_ERROR;

/** Whether a line that can't be read as a message was sent to that process before: the error to it has no id. */
export const afterUnreadable = (transcript: Transcript, { session, n }: Exchange): boolean =>
  transcript.some(
    (each) =>
      each.session === session &&
      each.n < n &&
      linesOf(each).some((line) => !isObject(line) || line["jsonrpc"] !== "2.0"),
  );

// --- internal ---

const PARSE_ERROR = -32700;
/** Statuses that are given before the body is read: by whom it comes, by its form, or by how much comes. */
const UNREAD: readonly number[] = [401, 403, 405, 406, 413, 415, 429];
/** Statuses whose bodies may come from what stands before the server. */
const ASIDE: readonly number[] = [401, 403, 429];

const sentHeader = ({ sent }: Exchange, name: string): string | undefined => header(sent.http?.headers, name);
/** On stdio, and where nothing was sent, there is none. */
const credentialOf = (exchange: Exchange | undefined): string | undefined =>
  exchange?.sent.http === undefined ? undefined : sentHeader(exchange, "authorization");

const isModern = (request: Message): boolean =>
  at(request.params, "_meta", "io.modelcontextprotocol/protocolVersion") !== undefined;

const isAnswer = (message: Message): boolean => isResponse(message) || message.method === undefined;

function messagesOf({ message, json }: Received): readonly { message: Message; batched: boolean }[] {
  if (message !== undefined) return [{ message, batched: false }];
  if (!Array.isArray(json)) return [];
  return json.flatMap((each: unknown) => (isObject(each) ? [{ message: each, batched: true }] : []));
}

/** Processes that were opened the legacy way, and speak as it wants from then on. */
const legacyProcesses = (transcript: Transcript): ReadonlySet<number> =>
  new Set(
    transcript.flatMap((exchange) =>
      exchange.sent.http === undefined && exchange.request?.method === "initialize" && isLegacy(exchange)
        ? [exchange.session]
        : [],
    ),
  );

/** Every request that was sent, by session and id; also those of lines and batches. */
function requestsById(transcript: Transcript): ReadonlyMap<string, Message> {
  const found = new Map<string, Message>();
  for (const exchange of transcript) {
    const { request, session } = exchange;
    const sent = request !== undefined ? [request] : linesOf(exchange).flat();
    for (const each of sent) {
      if (isObject(each) && typeof each["method"] === "string" && each["id"] !== undefined) {
        found.set(keyOf(session, each["id"]), each);
      }
    }
  }
  return found;
}

function answered(
  { session, request, sent, received }: Exchange,
  message: Message,
  asked: ReadonlyMap<string, Message>,
): Message | undefined {
  const direct = typeof request?.method === "string" && request.id !== undefined ? request : undefined;
  // On stdio a reply that was awaited stands in the exchange of its request, whatever type its id has.
  if (direct !== undefined && (sent.http !== undefined || received[0]?.message === message)) return direct;
  return asked.get(keyOf(session, message.id));
}

const keyOf = (session: number, id: unknown): string => `${session} ${JSON.stringify(id)}`;

/** What was sent as JSON: one value a line on stdio, one in all over HTTP. What is none is undefined. */
function linesOf({ sent }: Exchange): readonly unknown[] {
  const texts = sent.http === undefined ? sent.text.split("\n") : [sent.text];
  return texts.flatMap((text) => (text.trim() === "" ? [] : [parsed(text)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Other pages of a host, and the bodies of HTTP refusals, are JSON-RPC only if they say so. */
function isOfTheEndpoint({ http, sent }: Exchange, { from, message, json }: Received): boolean {
  if (http === undefined || from === "sse") return true;
  if (ASIDE.includes(http.status)) return false;
  if (sent.http?.method === "POST" && http.status < 400 && mediaType(http) === "application/json") return true;
  return message?.jsonrpc !== undefined || at(json, 0, "jsonrpc") !== undefined;
}
