import {
  any,
  arr,
  bool,
  both,
  by,
  dict,
  enumOf,
  has,
  id,
  int,
  intOrNull,
  num,
  obj,
  optional,
  str,
  unit,
  uri,
} from "./shape.ts";
import type { Table } from "./shapes.ts";
import {
  contents,
  implementation,
  meta,
  object,
  prompt,
  promptMessage,
  resource,
  samplingMessage,
  template,
  tool,
  toolResult,
} from "./shapes-content.ts";
import { elicitation } from "./shapes-elicitation.ts";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const STATUSES = ["working", "input_required", "completed", "failed", "cancelled"];
/** The specification allows no more in one answer; the schema says so in a comment only. */
const MOST_COMPLETIONS = 100;

const empty = obj({}, meta);
const page = { nextCursor: str, ...meta };
const changes = obj({}, { listChanged: bool });

const task = obj(
  { taskId: str, status: enumOf(...STATUSES), createdAt: str, lastUpdatedAt: str, ttl: intOrNull },
  { statusMessage: str, pollInterval: int },
);
const flatTask = both(task, empty);
const createdTask = obj({ task }, meta);
/** A call that was augmented with a task brings the task. */
const called = by((value) => (has(value, "task") && !has(value, "content") ? createdTask : toolResult));

const capabilities = obj(
  {},
  {
    experimental: dict(object),
    logging: object,
    completions: object,
    prompts: changes,
    tools: changes,
    resources: obj({}, { subscribe: bool, listChanged: bool }),
    tasks: obj({}, { list: object, cancel: object, requests: obj({}, { tools: obj({}, { call: object }) }) }),
  },
);

const asked = { _meta: obj({}, { progressToken: id }) };
const augmented = { ...asked, task: obj({}, { ttl: int }) };
const ofTask = obj({ taskId: str });
const told = optional(obj({}, meta));

const preferences = obj(
  {},
  { hints: arr(obj({}, { name: str })), costPriority: unit, speedPriority: unit, intelligencePriority: unit },
);

export const TABLE: Table = {
  results: {
    initialize: obj({ protocolVersion: str, capabilities, serverInfo: implementation }, { instructions: str, ...meta }),
    ping: empty,
    "tools/list": obj({ tools: arr(tool) }, page),
    "tools/call": called,
    "resources/list": obj({ resources: arr(resource) }, page),
    "resources/templates/list": obj({ resourceTemplates: arr(template) }, page),
    "resources/read": obj({ contents: arr(contents) }, meta),
    "resources/subscribe": empty,
    "resources/unsubscribe": empty,
    "prompts/list": obj({ prompts: arr(prompt) }, page),
    "prompts/get": obj({ messages: arr(promptMessage) }, { description: str, ...meta }),
    "completion/complete": obj(
      { completion: obj({ values: arr(str, MOST_COMPLETIONS) }, { total: int, hasMore: bool }) },
      meta,
    ),
    "logging/setLevel": empty,
    "tasks/get": flatTask,
    "tasks/result": empty,
    "tasks/cancel": flatTask,
    "tasks/list": obj({ tasks: arr(task) }, page),
  },
  requests: {
    ping: optional(obj({}, asked)),
    "roots/list": optional(obj({}, asked)),
    "sampling/createMessage": obj(
      { messages: arr(samplingMessage), maxTokens: int },
      {
        ...augmented,
        modelPreferences: preferences,
        systemPrompt: str,
        includeContext: enumOf("none", "thisServer", "allServers"),
        temperature: num,
        stopSequences: arr(str),
        metadata: object,
        tools: arr(tool),
        toolChoice: obj({}, { mode: enumOf("auto", "required", "none") }),
      },
    ),
    "elicitation/create": elicitation(augmented, { elicitationId: str }),
    "tasks/get": ofTask,
    "tasks/result": ofTask,
    "tasks/cancel": ofTask,
    "tasks/list": optional(obj({}, { cursor: str, ...asked })),
  },
  notifications: {
    "notifications/message": obj({ level: enumOf(...LEVELS), data: any }, { logger: str, ...meta }),
    "notifications/progress": obj({ progressToken: id, progress: num }, { total: num, message: str, ...meta }),
    "notifications/cancelled": obj({}, { requestId: id, reason: str, ...meta }),
    "notifications/tools/list_changed": told,
    "notifications/prompts/list_changed": told,
    "notifications/resources/list_changed": told,
    "notifications/resources/updated": obj({ uri }, meta),
    "notifications/elicitation/complete": obj({ elicitationId: str }),
    "notifications/tasks/status": flatTask,
  },
};
