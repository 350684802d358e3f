import { opened } from "../../facts/opening.ts";
import { defineReview } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { isNotification, isResponse } from "../../model/message.ts";
import { blocked, each, fail } from "../../model/outcome.ts";
import { complaint, provoked, responsesIn, wrapped } from "./_responses.ts";

/** Checks that want an error, and can't read this one. */
const UNREADABLE = [
  "error-unknown-method",
  "error-method-code",
  "tools-call-unknown",
  "error-missing-params",
  "error-capability-gated",
  "error-invalid-cursor",
  "stdio-unknown-method-recovers",
];

const LISTS: readonly string[] = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];

export default defineReview({
  id: "lifecycle-jsonrpc",
  title: "Every response is a JSON-RPC 2.0 response",
  why: "Clients parse responses strictly; one with both a result and an error, or with an unknown shape, is dropped.",
  fix: 'Send {"jsonrpc":"2.0","id":…} with exactly one of result and error (integer code, string message), and never answer a notification.',
  needs: { opened },
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
        alsoFails: UNREADABLE,
      },
    ),
    fault(
      "answers logging/setLevel with neither a result nor an error",
      (server) =>
        server.reply((reply, { method }) => (method === "logging/setLevel" ? { jsonrpc: "2.0", id: reply.id } : reply)),
      { alsoFails: ["lifecycle-logging"] },
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
      { alsoFails: ["transport-post", "transport-content-type-init", "stdio-framing"] },
    ),
    fault(
      "wraps the answers to its lists in an array",
      (server) => server.reply((reply, { method }) => (LISTS.includes(method) ? [reply] : reply)),
      { alsoFails: ["tools-list", "resources-list", "resources-templates", "prompts-list", "stdio-framing"] },
    ),
    fault(
      "answers notifications as requests that it can't read",
      (server) =>
        server.after("notifications/initialized", ({ send }) =>
          send({ jsonrpc: "2.0", error: { code: -32600, message: "no id" } }),
        ),
      { alsoFails: ["transport-notification-202"] },
    ),
    fault(
      "answers notifications with an error without an id",
      (server) =>
        server.after("notifications/initialized", ({ send }) =>
          send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown method" } }),
        ),
      { alsoFails: ["transport-notification-202"] },
    ),
  ],
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
        exchange.end === "unsolicited" && (message.id ?? null) === null && !provoked(transcript, exchange),
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
