/** Right messages of 2025-11-25, each with everything that its kind may have, for the tests. */
export interface Sample {
  /** The definition in the official schema. */
  readonly definition: string;
  readonly of: "result" | "request" | "notification" | "error" | "envelope";
  /** The code, for errors. */
  readonly method: string;
  /** Results, params and the data of errors; whole messages for the envelope. */
  readonly value: unknown;
}

export const _meta = { "example.com/a": 1 };
const asked = { _meta: { progressToken: 0, b: [] } };
const icons = [{ src: "data:image/png;base64,AAAA", mimeType: "image/png", sizes: ["48x48", "any"], theme: "dark" }];
const annotations = { audience: ["user", "assistant"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" };
export const described = { title: "A", description: "An a", icons };
export const inner = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

const tool = {
  name: "a.b-c_d",
  ...described,
  inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...inner },
  outputSchema: { ...inner, additionalProperties: false },
  annotations: { title: "A", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  execution: { taskSupport: "optional" },
  _meta,
};
export const resource = {
  uri: "file:///a",
  name: "a",
  ...described,
  mimeType: "text/plain",
  size: 5,
  annotations,
  _meta,
};
export const template = {
  uriTemplate: "file:///{+a}",
  name: "a",
  ...described,
  mimeType: "text/plain",
  annotations,
  _meta,
};
export const prompt = {
  name: "a",
  ...described,
  arguments: [{ name: "b", title: "B", description: "A b", required: true }, { name: "c" }],
  _meta,
};
export const textContents = { uri: "a:b", mimeType: "text/plain", text: "", _meta };
export const blobContents = { uri: "a:c", blob: "AAA=", _meta };
export const text = { type: "text", text: "a", annotations, _meta };
export const image = { type: "image", data: "AAAA", mimeType: "image/png", annotations, _meta };
export const audio = { type: "audio", data: "", mimeType: "audio/wav" };
export const blocks = [
  text,
  image,
  audio,
  { type: "resource_link", ...resource },
  { type: "resource", resource: textContents, annotations, _meta },
  { type: "resource", resource: blobContents },
];
const toolResult = { content: blocks, structuredContent: { a: null }, isError: false, _meta };
const task = {
  taskId: "t",
  status: "working",
  statusMessage: "a",
  createdAt: "2025-11-25T10:30:00Z",
  lastUpdatedAt: "2025-11-25T10:40:00Z",
  ttl: 60000,
  pollInterval: 5,
};
export const used = { type: "tool_use", id: "u", name: "a", input: { b: 1 }, _meta };
const told = { type: "tool_result", toolUseId: "u", content: [text], structuredContent: {}, isError: true, _meta };
const capabilities = {
  experimental: { a: {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: false, listChanged: true },
  tools: { listChanged: false },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};
export const serverInfo = { name: "a", version: "1", ...described, websiteUrl: "https://example.com" };
const fields = {
  text: { type: "string", title: "T", description: "t", minLength: 1, maxLength: 9, format: "email", default: "a" },
  number: { type: "number", title: "N", description: "n", minimum: 0.5, maximum: 2, default: 1 },
  integer: { type: "integer", default: 1 },
  yes: { type: "boolean", title: "B", description: "b", default: true },
  one: { type: "string", title: "E", description: "e", enum: ["a", "b"], default: "a" },
  legacy: { type: "string", title: "E", enum: ["a"], enumNames: ["A"], default: "a" },
  titled: { type: "string", description: "e", oneOf: [{ const: "a", title: "A" }], default: "a" },
  some: { type: "array", title: "S", items: { type: "string", enum: ["a"] }, minItems: 1, maxItems: 2, default: ["a"] },
  titledSome: { type: "array", description: "s", items: { anyOf: [{ const: "a", title: "A" }] }, default: ["a"] },
};
export const requestedSchema = { $schema: "a", type: "object", properties: fields, required: ["text"] };

export const result = (method: string, definition: string, value: unknown): Sample => ({
  definition,
  of: "result",
  method,
  value,
});
export const request = (method: string, definition: string, value?: unknown): Sample => ({
  definition,
  of: "request",
  method,
  value,
});
export const notification = (method: string, definition: string, value?: unknown): Sample => ({
  definition,
  of: "notification",
  method: `notifications/${method}`,
  value,
});
export const envelope = (value: unknown): Sample => ({
  definition: "JSONRPCMessage",
  of: "envelope",
  method: "",
  value,
});

export const SAMPLES: readonly Sample[] = [
  result("initialize", "InitializeResult", {
    protocolVersion: "2025-11-25",
    capabilities,
    serverInfo,
    instructions: "a",
    _meta,
  }),
  ...["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"].map((method) =>
    result(method, "EmptyResult", { _meta }),
  ),
  result("tools/list", "ListToolsResult", { tools: [tool, { name: "b", inputSchema: inner }], nextCursor: "", _meta }),
  result("tools/call", "CallToolResult", toolResult),
  result("tools/call", "CallToolResult", { content: [] }),
  result("tools/call", "CreateTaskResult", { task, _meta }),
  result("resources/list", "ListResourcesResult", { resources: [resource], nextCursor: "a", _meta }),
  result("resources/templates/list", "ListResourceTemplatesResult", { resourceTemplates: [template], nextCursor: "a" }),
  result("resources/read", "ReadResourceResult", { contents: [textContents, blobContents], _meta }),
  result("prompts/list", "ListPromptsResult", { prompts: [prompt], nextCursor: "a", _meta }),
  result("prompts/get", "GetPromptResult", {
    description: "a",
    messages: blocks.map((content, i) => ({ role: i % 2 ? "user" : "assistant", content })),
    _meta,
  }),
  result("completion/complete", "CompleteResult", {
    completion: { values: Array.from({ length: 100 }, (_, i) => `${i}`), total: 150, hasMore: true },
    _meta,
  }),
  result("tasks/get", "GetTaskResult", { ...task, _meta }),
  result("tasks/cancel", "CancelTaskResult", { ...task, status: "cancelled", ttl: null, _meta }),
  result("tasks/list", "ListTasksResult", { tasks: [task], nextCursor: "a", _meta }),
  result("tasks/result", "GetTaskPayloadResult", { _meta, content: [] }),
  request("ping", "PingRequest"),
  request("ping", "PingRequest", asked),
  request("roots/list", "ListRootsRequest", asked),
  request("sampling/createMessage", "CreateMessageRequest", {
    ...asked,
    messages: [
      { role: "user", content: text, _meta },
      { role: "assistant", content: [used, used] },
      { role: "user", content: [told, image, audio] },
      { role: "user", content: { ...told, content: blocks } },
    ],
    maxTokens: 10,
    modelPreferences: {
      hints: [{ name: "a" }, {}],
      costPriority: 0,
      speedPriority: 1,
      intelligencePriority: 0.5,
    },
    systemPrompt: "a",
    includeContext: "thisServer",
    temperature: 0.7,
    stopSequences: ["a"],
    metadata: {},
    task: { ttl: 5 },
    tools: [tool],
    toolChoice: { mode: "required" },
  }),
  request("elicitation/create", "ElicitRequest", { ...asked, message: "a", requestedSchema, task: { ttl: 5 } }),
  request("elicitation/create", "ElicitRequest", { mode: "form", message: "a", requestedSchema }),
  request("elicitation/create", "ElicitRequest", {
    ...asked,
    mode: "url",
    message: "a",
    elicitationId: "e",
    url: "https://example.com/a?b",
    task: {},
  }),
  request("tasks/get", "GetTaskRequest", { taskId: "t" }),
  request("tasks/result", "GetTaskPayloadRequest", { taskId: "t" }),
  request("tasks/cancel", "CancelTaskRequest", { taskId: "t" }),
  request("tasks/list", "ListTasksRequest", { ...asked, cursor: "a" }),
  notification("message", "LoggingMessageNotification", { level: "info", logger: "a", data: { b: 1 }, _meta }),
  notification("progress", "ProgressNotification", { progressToken: 0, progress: 0.5, total: 2, message: "a", _meta }),
  notification("cancelled", "CancelledNotification", { requestId: "a", reason: "b", _meta }),
  notification("tools/list_changed", "ToolListChangedNotification"),
  notification("tools/list_changed", "ToolListChangedNotification", { _meta }),
  notification("prompts/list_changed", "PromptListChangedNotification", { _meta }),
  notification("resources/list_changed", "ResourceListChangedNotification", { _meta }),
  notification("resources/updated", "ResourceUpdatedNotification", { uri: "a:b", _meta }),
  notification("elicitation/complete", "ElicitationCompleteNotification", { elicitationId: "e" }),
  notification("tasks/status", "TaskStatusNotification", { ...task, _meta }),
  envelope({ jsonrpc: "2.0", id: 0, method: "ping", params: asked }),
  envelope({ jsonrpc: "2.0", method: "notifications/a", params: { _meta } }),
  envelope({ jsonrpc: "2.0", id: "a", result: { _meta, b: 1 } }),
  envelope({ jsonrpc: "2.0", id: 5, error: { code: -32601, message: "a", data: [1] } }),
  envelope({ jsonrpc: "2.0", error: { code: -32700, message: "a" } }),
];
