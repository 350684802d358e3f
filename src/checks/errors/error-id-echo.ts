import { provoked } from "../../facts/provoked.ts";
import { defineReview } from "../../model/define.ts";
import type { Exchange, Transcript } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { kindOf } from "../../model/json.ts";
import { type Message, rpcError } from "../../model/message.ts";
import { type Complaint, each, fail, skipped } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { cap } from "../../text/escape.ts";
import { afterUnreadable, type Heard, heardIn, isOfReadRequest, isWellFormed } from "../_heard.ts";

export default defineReview({
  id: "error-id-echo",
  title: "An error carries the id of the request it answers",
  why: "A client with several requests under way can't tell which of them failed, and waits for the right one until its time is up.",
  fix: "Read the id of the message first, and put it with its type into every error that answers it; leave it out only where the message can't be read.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":"a-1","method":"no/such/method"}',
    '<- {"jsonrpc":"2.0","id":"a-1","error":{"code":-32601,"message":"Method not found"}}',
  ],
  needs: { provoked },
  faults: [
    losing("answers an unknown prompt with an error whose id is null", (reply) => ({ ...reply, id: null }), [
      "schema-wire-valid",
      "lifecycle-jsonrpc",
    ]),
    losing("answers an unknown prompt with an error without an id", ({ error }) => ({ jsonrpc: "2.0", error }), [
      "lifecycle-jsonrpc",
    ]),
    losing("answers an unknown prompt with the id as text", (reply) => ({ ...reply, id: String(reply.id) }), [
      "lifecycle-id-match",
    ]),
    losing("answers an unknown prompt with the id of another request", (reply) => ({ ...reply, id: 424_242 }), [
      "lifecycle-id-match",
    ]),
  ],
  review(transcript) {
    const heard = heardIn(transcript);
    const errors = heard.filter((one) => rpcError(one.message) !== undefined && isOfReadRequest(one));
    const bad = errors.find((one) => complaint(one) !== undefined);
    if (bad === undefined) {
      const lost = strayOf(transcript, heard);
      if (lost !== undefined) {
        return fail("the id of the request", told(lost.stray.message.id), lost.stray.exchange, lost.request);
      }
      if (errors.length === 0) {
        return skipped(`no error answered a well-formed request (${count(heard.length, "message")} read)`);
      }
    }
    return each("errors with the id of their request", errors, complaint, [(bad ?? errors[0])?.exchange]);
  },
});

// --- internal ---

const PARSE_ERROR = -32700;

function complaint({ message, request }: Heard): Complaint {
  return message.id === request?.id ? undefined : [`id ${told(request?.id)}`, `id ${told(message.id)}`];
}

const told = (id: unknown): string =>
  typeof id === "string" || typeof id === "number"
    ? cap(JSON.stringify(id), 40)
    : id === undefined
      ? "none"
      : kindOf(id);

/** On stdio an error that names no request, while a request stays without its answer. */
function strayOf(
  transcript: Transcript,
  heard: readonly Heard[],
): { readonly stray: Heard; readonly request: Exchange } | undefined {
  for (const stray of heard) {
    const { exchange, message, request } = stray;
    const error = rpcError(message);
    if (exchange.end !== "unsolicited" || error === undefined || error.code === PARSE_ERROR) continue;
    if (request !== undefined || afterUnreadable(transcript, exchange)) continue;
    const unanswered = transcript.findLast(
      (each) =>
        each.session === exchange.session &&
        each.n < exchange.n &&
        each.end === "timeout" &&
        each.request !== undefined &&
        // A subscription goes on without an answer until it is cancelled.
        each.request.method !== "subscriptions/listen" &&
        isWellFormed({ exchange: each, request: each.request, batched: false }),
    );
    if (unanswered !== undefined) return { stray, request: unanswered };
  }
  return undefined;
}

function losing(name: string, how: (reply: Message) => unknown, alsoFails: readonly string[] = []): Fault {
  return fault(
    name,
    (server) =>
      server.reply((reply, { method }) => (method === "prompts/get" && reply.error !== undefined ? how(reply) : reply)),
    { alsoFails },
  );
}
