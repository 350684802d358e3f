import {
  _meta,
  audio,
  blobContents,
  blocks,
  described,
  envelope,
  image,
  inner,
  notification,
  prompt,
  request,
  requestedSchema,
  resource,
  result,
  type Sample,
  serverInfo,
  template,
  text,
  textContents,
  used,
} from "./_messages.ts";

/** Right messages of 2026-07-28, each with everything that its kind may have, for the tests. */

const OWN = "io.modelcontextprotocol";
const signed = { resultType: "complete", _meta: { ..._meta, [`${OWN}/serverInfo`]: serverInfo } };
const kept = { ...signed, ttlMs: 0, cacheScope: "private" };
const ofStream = { _meta: { [`${OWN}/subscriptionId`]: "s" } };

const tool = {
  name: "a.b-c_d",
  ...described,
  inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...inner },
  outputSchema: { $schema: "a", type: "array", items: {} },
  annotations: { title: "A", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  _meta,
};
const capabilities = {
  experimental: { a: {} },
  extensions: { "io.modelcontextprotocol/tasks": {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: false, listChanged: true },
  tools: { listChanged: false },
};
const told = { type: "tool_result", toolUseId: "u", content: [text], structuredContent: [1], isError: true, _meta };
const sampling = {
  messages: [
    { role: "user", content: text, _meta },
    { role: "assistant", content: [used, used] },
    { role: "user", content: [told, image, audio] },
    { role: "user", content: { ...told, content: blocks } },
  ],
  maxTokens: 10,
  modelPreferences: { hints: [{ name: "a" }, {}], costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
  systemPrompt: "a",
  includeContext: "thisServer",
  temperature: 0.7,
  stopSequences: ["a"],
  metadata: {},
  tools: [tool],
  toolChoice: { mode: "required" },
};
const form = { message: "a", requestedSchema };
const visit = { mode: "url", message: "a", url: "https://example.com/a?b" };
const inputRequired = {
  ...signed,
  resultType: "input_required",
  inputRequests: {
    form: { method: "elicitation/create", params: { mode: "form", ...form } },
    visit: { method: "elicitation/create", params: visit },
    say: { method: "sampling/createMessage", params: sampling },
    roots: { method: "roots/list" },
  },
  requestState: "a",
};

const error = (code: number, definition: string, value: unknown): Sample => ({
  definition,
  of: "error",
  method: String(code),
  value,
});

export const SAMPLES: readonly Sample[] = [
  result("server/discover", "DiscoverResult", {
    ...kept,
    supportedVersions: ["2026-07-28", "2025-11-25"],
    capabilities,
    instructions: "a",
  }),
  result("tools/list", "ListToolsResult", {
    ...kept,
    tools: [tool, { name: "b", inputSchema: inner }],
    nextCursor: "",
  }),
  result("tools/call", "CallToolResult", { ...signed, content: blocks, structuredContent: [null], isError: false }),
  result("tools/call", "CallToolResult", { resultType: "complete", content: [] }),
  ...["tools/call", "resources/read", "prompts/get"].map((method) =>
    result(method, "InputRequiredResult", { resultType: "input_required", requestState: "a" }),
  ),
  result("tools/call", "InputRequiredResult", inputRequired),
  result("resources/list", "ListResourcesResult", { ...kept, resources: [resource], nextCursor: "a" }),
  result("resources/templates/list", "ListResourceTemplatesResult", { ...kept, resourceTemplates: [template] }),
  result("resources/read", "ReadResourceResult", { ...kept, contents: [textContents, blobContents] }),
  result("prompts/list", "ListPromptsResult", { ...kept, ttlMs: 5, cacheScope: "public", prompts: [prompt] }),
  result("prompts/get", "GetPromptResult", {
    ...signed,
    description: "a",
    messages: blocks.map((content, i) => ({ role: i % 2 ? "user" : "assistant", content })),
  }),
  result("completion/complete", "CompleteResult", {
    ...signed,
    completion: { values: Array.from({ length: 100 }, (_, i) => `${i}`), total: 150, hasMore: true },
  }),
  result("subscriptions/listen", "SubscriptionsListenResult", {
    resultType: "complete",
    _meta: { [`${OWN}/subscriptionId`]: 3, [`${OWN}/serverInfo`]: serverInfo },
  }),
  request("elicitation/create", "ElicitRequest", form),
  request("elicitation/create", "ElicitRequest", visit),
  request("roots/list", "ListRootsRequest", { _meta }),
  notification("message", "LoggingMessageNotification", { level: "info", logger: "a", data: { b: 1 }, ...ofStream }),
  notification("progress", "ProgressNotification", {
    progressToken: 0,
    progress: 0.5,
    total: 2,
    message: "a",
    ...ofStream,
  }),
  notification("cancelled", "CancelledNotification", { requestId: "a", reason: "b", ...ofStream }),
  notification("tools/list_changed", "ToolListChangedNotification"),
  notification("tools/list_changed", "ToolListChangedNotification", ofStream),
  notification("prompts/list_changed", "PromptListChangedNotification", ofStream),
  notification("resources/list_changed", "ResourceListChangedNotification", ofStream),
  notification("resources/updated", "ResourceUpdatedNotification", { uri: "a:b", ...ofStream }),
  notification("subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification", {
    notifications: {
      toolsListChanged: true,
      promptsListChanged: false,
      resourcesListChanged: true,
      resourceSubscriptions: ["a:b"],
    },
    ...ofStream,
  }),
  error(-32021, "MissingRequiredClientCapabilityError", {
    requiredCapabilities: {
      experimental: { a: {} },
      extensions: { b: {} },
      roots: {},
      sampling: { context: {}, tools: {} },
      elicitation: { form: {}, url: {} },
    },
  }),
  error(-32022, "UnsupportedProtocolVersionError", { supported: ["2026-07-28"], requested: "1.0" }),
  envelope({ jsonrpc: "2.0", id: 0, method: "ping", params: { a: 1 } }),
  envelope({ jsonrpc: "2.0", method: "notifications/a", params: ofStream }),
  envelope({ jsonrpc: "2.0", id: "a", result: { ...signed, b: 1 } }),
  envelope({ jsonrpc: "2.0", id: 5, error: { code: -32601, message: "a", data: [1] } }),
  envelope({ jsonrpc: "2.0", error: { code: -32700, message: "a" } }),
];
