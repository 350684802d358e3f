import { opening } from "../../facts/opening.ts";
import { defineReview } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { isResponse, type Message, rpcError } from "../../model/message.ts";
import { type Complaint, each, fail } from "../../model/outcome.ts";

export default defineReview({
  id: "lifecycle-jsonrpc",
  title: "Every response is a JSON-RPC 2.0 response",
  why: "Clients parse responses strictly; one with both a result and an error, or with an unknown shape, is dropped.",
  fix: 'Send {"jsonrpc":"2.0","id":…} with exactly one of result and error (integer code, string message), and never answer a notification.',
  needs: { opening },
  faults: [
    fault("answers with jsonrpc 1.0", (server) => server.reply((reply) => ({ ...reply, jsonrpc: "1.0" })), {
      alsoFails: ["transport-post", "transport-content-type"],
    }),
    fault("puts error:null beside each result", (server) =>
      server.reply((reply) => ({ ...reply, error: reply.error ?? null })),
    ),
    fault("puts a result beside each error", (server) =>
      server.reply((reply) => (reply.error === undefined ? reply : { ...reply, result: {} })),
    ),
    fault(
      "gives its error codes as text",
      (server) =>
        server.reply((reply) =>
          isObject(reply.error) ? { ...reply, error: { ...reply.error, code: String(reply.error["code"]) } } : reply,
        ),
      {
        alsoFails: [
          "error-unknown-method",
          "error-method-code",
          "tools-call-unknown",
          "error-missing-params",
          "error-capability-gated",
          "error-invalid-cursor",
          "stdio-unknown-method-recovers",
        ],
      },
    ),
    fault(
      "answers notifications with an error without an id",
      (server) =>
        server.after("notifications/initialized", ({ send }) =>
          send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown method" } }),
        ),
      { alsoFails: ["transport-notification-202", "lifecycle-id-match"] },
    ),
  ],
  review(transcript) {
    const responses = transcript.flatMap((exchange) =>
      exchange.received.flatMap(({ message }) =>
        message !== undefined && isResponse(message) ? [{ exchange, message }] : [],
      ),
    );
    const toNotification = responses.find(
      ({ exchange }) =>
        typeof exchange.request?.method === "string" &&
        exchange.request.id === undefined &&
        (exchange.http?.status ?? 200) < 400,
    );
    if (toNotification !== undefined) {
      return fail("no response to a notification", "a response", toNotification.exchange);
    }
    const orphan = responses.find(
      ({ exchange, message }) =>
        exchange.end === "unsolicited" && (message.id === null || message.id === undefined) && !provoked(message),
    );
    if (orphan !== undefined)
      return fail("no response that answers no request", "a response without an id", orphan.exchange);
    const first = responses.find(({ message }) => complaint(message) !== undefined);
    return each(
      "responses",
      responses,
      ({ message }) => complaint(message),
      first === undefined ? [] : [first.exchange],
    );
  },
});

// --- internal ---

/** Errors to lines that could not be read as a request have no id to give back. */
const provoked = (message: Message): boolean => {
  const code = rpcError(message)?.code;
  return code === -32700 || code === -32600;
};

function complaint(message: Message): Complaint {
  if (message.jsonrpc !== "2.0") return ['jsonrpc "2.0" in a response', `jsonrpc ${JSON.stringify(message.jsonrpc)}`];
  if (message.result !== undefined && message.error !== undefined) return ["either a result or an error", "both"];
  if (message.error === undefined) return undefined;
  if (!isObject(message.error)) return ["an error object", JSON.stringify(message.error)];
  const { code, message: words } = message.error;
  if (!Number.isInteger(code)) return ["an integer error code", JSON.stringify(code) ?? "no code"];
  return typeof words === "string" ? undefined : ["an error message", JSON.stringify(words) ?? "no message"];
}
