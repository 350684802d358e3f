import type { Draft, Serving } from "../../model/bendable.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";

/** Ways in which messages miss the schema of 2026-07-28. */
export const wireFaults: readonly [Fault, ...Fault[]] = [
  fault(
    "ends its templates with nextCursor null",
    (server) => server.put("resources/templates/list", ["nextCursor"], null),
    { alsoFails: ["resources-templates"] },
  ),
  fault(
    "puts error:null beside what it discovers",
    (server) =>
      server.reply((reply, { method }) =>
        method === "server/discover" && reply.error === undefined ? { ...reply, error: null } : reply,
      ),
    { alsoFails: ["lifecycle-jsonrpc"] },
  ),
  fault("describes a resource by a number", (server) =>
    server.put("resources/list", ["resources", 0, "description"], 5),
  ),
  fault(
    "gives a tool an output schema of true",
    (server) => server.put("tools/list", ["tools", 0, "outputSchema"], true),
    {
      alsoFails: ["tools-output-schema"],
    },
  ),
  fault("names a prompt by null", (server) => server.put("prompts/list", ["prompts", 1, "name"], null), {
    alsoFails: ["prompts-schema"],
  }),
  fault(
    "says of a template with an object which type it has",
    (server) => server.put("resources/templates/list", ["resourceTemplates", 0, "mimeType"], { type: "text/plain" }),
    {
      alsoFails: ["resources-templates"],
    },
  ),
  fault(
    "gives the priority of a text in percent",
    (server) =>
      server.edit("prompts/get", (result) => {
        result["messages"] = [{ role: "user", content: { type: "text", text: "a", annotations: { priority: 50 } } }];
      }),
    { alsoFails: ["prompts-get"] },
  ),
  fault("leaves its version out of serverInfo when it lists its tools", (server) =>
    server.put("tools/list", ["_meta", "io.modelcontextprotocol/serverInfo", "version"], undefined),
  ),
  fault("lacks a capability of the client and does not say which", (server) =>
    server.reply((reply, { method }) =>
      method === "prompts/get" && reply.error !== undefined
        ? { jsonrpc: "2.0", id: reply.id, error: { code: -32021, message: "no" } }
        : reply,
    ),
  ),
  fault(
    "says of an unsupported version only that it is",
    (server) =>
      server.reply((reply) =>
        isObject(reply.error) && reply.error["code"] === -32022
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32022, message: "no" } }
          : reply,
      ),
    // Where it runs by itself, nobody asks in another version.
    { on: "http", alsoFails: ["lifecycle-version-unsupported"] },
  ),
  fault("tells of progress without a token", telling("notifications/progress", { progress: 1 }), {
    alsoFails: ["lifecycle-progress-token"],
  }),
  fault("tells of an updated resource without its uri", telling("notifications/resources/updated", {})),
  fault("cancels a request without its id", telling("notifications/cancelled", { reason: "enough" })),
  fault("sends the params of a notification as an array", telling("notifications/tools/list_changed", [])),
  fault(
    "answers errors to an unknown prompt as texts",
    (server) =>
      server.reply((reply, { method }) =>
        method === "prompts/get" && reply.error !== undefined ? { jsonrpc: "2.0", id: reply.id, error: "no" } : reply,
      ),
    { alsoFails: ["lifecycle-jsonrpc"] },
  ),
  fault(
    "gives the id null to an error of a request that it has read",
    (server) =>
      server.reply((reply, { method }) =>
        method === "resources/read" && reply.error !== undefined ? { ...reply, id: null } : reply,
      ),
    { alsoFails: ["error-id-echo", "resources-not-found", "lifecycle-id-match", "lifecycle-jsonrpc"] },
  ),
  fault(
    "wraps what it lists of prompts in an array",
    (server) => server.reply((reply, { method }) => (method === "prompts/list" ? [reply] : reply)),
    { alsoFails: ["lifecycle-jsonrpc", "lifecycle-capability-handlers-match", "prompts-list", "stdio-framing"] },
  ),
];

// --- internal ---

/** Says it in the midst of a call. */
function telling(method: string, params: Draft | readonly never[]): Fault["apply"] {
  return (server) => server.before("tools/call", ({ send }: Serving) => send({ jsonrpc: "2.0", method, params }));
}
