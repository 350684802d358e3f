import { opened } from "../../facts/opening.ts";
import { provoked } from "../../facts/provoked.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { isNotification, isResponse } from "../../model/message.ts";
import { blocked, each, fail, skipped } from "../../model/outcome.ts";
import { complaint, provoked as isProvoked, responsesIn, wrapped } from "./_responses.ts";

/** Checks that want an error, and can't read this one. */
const UNREADABLE = [
  "error-unknown-method",
  "error-method-code",
  "tools-call-unknown",
  "error-missing-params",
  "error-capability-gated",
  "error-invalid-cursor",
  "stdio-unknown-method-recovers",
  "lifecycle-meta-required",
  "lifecycle-meta-protocol-version-required",
  "lifecycle-meta-client-capabilities-required",
  "lifecycle-version-unsupported",
  "lifecycle-removed-methods",
  "lifecycle-capability-handlers-match",
  "tools-call",
  "resources-not-found",
  "schema-wire-valid",
];

/** Checks that send notifications, too. */
const NOTIFIED = [
  "transport-notification-202",
  "lifecycle-cancellation",
  "lifecycle-id-match",
  "stdio-cancellation",
  "schema-wire-valid",
];

export default defineCheck({
  id: "lifecycle-jsonrpc",
  title: "Every response is a JSON-RPC 2.0 response",
  why: "Clients parse responses strictly; one with both a result and an error, or with an unknown shape, is dropped.",
  fix: 'Send {"jsonrpc":"2.0","id":…} with exactly one of result and error (integer code, string message), and never answer a notification.',
  snippet: [
    '<- {"jsonrpc":"2.0","id":1,"result":{}}',
    '<- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: x"}}',
  ],
  effect: "shared",
  // Without errors among the responses nothing could be said of their form.
  needs: { opened, provoked },
  faults: [
    fault("answers with jsonrpc 1.0", (server) => server.reply((reply) => ({ ...reply, jsonrpc: "1.0" })), {
      alsoFails: ["transport-post", "transport-content-type", "schema-wire-valid"],
    }),
    fault(
      "puts error:null beside each result",
      (server) => server.reply((reply) => ({ ...reply, error: reply.error ?? null })),
      { alsoFails: ["schema-wire-valid"] },
    ),
    fault(
      "puts a result beside each error",
      (server) => server.reply((reply) => (reply.error === undefined ? reply : { ...reply, result: {} })),
      { alsoFails: ["schema-result-type", "schema-wire-valid"] },
    ),
    fault(
      "gives its error codes as text",
      (server) =>
        server.reply((reply) =>
          isObject(reply.error) ? { ...reply, error: { ...reply.error, code: String(reply.error["code"]) } } : reply,
        ),
      {
        alsoFails: UNREADABLE,
      },
    ),
    fault(
      "answers logging/setLevel with neither a result nor an error",
      (server) =>
        server.reply((reply, { method }) => (method === "logging/setLevel" ? { jsonrpc: "2.0", id: reply.id } : reply)),
      { only: "2025-11-25", alsoFails: ["lifecycle-logging"] },
    ),
    fault(
      "answers an unknown prompt with neither a result nor an error",
      (server) =>
        server.reply((reply, { method }) =>
          method === "prompts/get" && reply.error !== undefined ? { jsonrpc: "2.0", id: reply.id } : reply,
        ),
      { alsoFails: ["schema-wire-valid"] },
    ),
    fault(
      "gives its errors as texts",
      (server) =>
        server.reply((reply) => (isObject(reply.error) ? { ...reply, error: String(reply.error["message"]) } : reply)),
      { alsoFails: UNREADABLE },
    ),
    fault(
      "gives its errors without a message",
      (server) =>
        server.reply((reply) => (isObject(reply.error) ? { ...reply, error: { code: reply.error["code"] } } : reply)),
      { alsoFails: UNREADABLE },
    ),
    fault(
      "wraps each answer in an array and puts error:null into it",
      (server) => server.reply((reply) => [{ error: null, ...reply }]),
      {
        alsoFails: [
          "transport-post",
          "transport-content-type",
          "transport-content-type-init",
          "stdio-framing",
          "schema-wire-valid",
        ],
      },
    ),
    fault(
      "wraps its errors in an array",
      (server) => server.reply((reply) => (reply.error === undefined ? reply : [reply])),
      { alsoFails: [...UNREADABLE, "stdio-framing"] },
    ),
    fault(
      "answers notifications as requests that it can't read",
      answering({ error: { code: -32600, message: "no id" } }),
      { alsoFails: NOTIFIED },
    ),
    fault(
      "answers notifications with an error without an id",
      answering({ id: null, error: { code: -32601, message: "unknown method" } }),
      { alsoFails: NOTIFIED },
    ),
  ],
  async run({ opened }, server) {
    if (opened.refusal === undefined) {
      await server.notify("notifications/cancelled", { requestId: server.unique() });
      // The fence: an answer to the notification would have come before this one.
      await server.control();
    }
    return skipped("judged at the end of the run");
  },
  review(transcript, { opened }) {
    const lone = wrapped(transcript)[0];
    if (lone !== undefined) return fail("a response by itself", "an array around it", lone);
    const responses = responsesIn(transcript);
    const toNotification = responses.find(
      ({ exchange: { request, http } }) =>
        request !== undefined && (isNotification(request) || isResponse(request)) && (http?.status ?? 200) < 400,
    );
    if (toNotification !== undefined) {
      return fail("no response to a notification", "a response", toNotification.exchange);
    }
    const orphan = responses.find(
      ({ exchange, message }) =>
        exchange.end === "unsolicited" && (message.id ?? null) === null && !isProvoked(transcript, exchange),
    );
    if (orphan !== undefined) {
      return fail("no response that answers no request", "a response without an id", orphan.exchange);
    }
    const bad = responses.find(({ message }) => complaint(message) !== undefined);
    if (bad === undefined && (opened.refusal !== undefined || responses.length === 0)) {
      return blocked(opened.refusal ?? "no response came", "opening", opened.exchange);
    }
    const first = bad ?? responses[0];
    return each("responses", responses, ({ message }) => complaint(message), [first?.exchange]);
  },
});

// --- internal ---

/** A bend that sends something in answer to notifications. */
function answering(answer: object): (server: Bendable) => void {
  return (server) => {
    for (const method of ["notifications/initialized", "notifications/cancelled"]) {
      server.after(method, ({ send }) => send({ jsonrpc: "2.0", ...answer }));
    }
  };
}
