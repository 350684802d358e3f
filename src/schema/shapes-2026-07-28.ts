import { at } from "../model/json.ts";
import {
  any,
  arr,
  bool,
  by,
  dict,
  enumOf,
  id,
  int,
  type Members,
  natural,
  num,
  obj,
  oneOf,
  optional,
  type Shape,
  str,
  unit,
  uri,
} from "./shape.ts";
import type { Table } from "./shapes.ts";
import {
  block,
  contents,
  described,
  implementation,
  meta,
  object,
  prompt,
  promptMessage,
  resource,
  role,
  spoken,
  template,
  toolAnnotations,
} from "./shapes-content.ts";
import { elicitation } from "./shapes-elicitation.ts";

const OWN = "io.modelcontextprotocol";
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const MOST_COMPLETIONS = 100;

/** What every result has. */
const typed = { resultType: str };
const signed = { _meta: obj({}, { [`${OWN}/serverInfo`]: implementation }) };
/** What results have that may be kept. */
const cacheable = { ...typed, ttlMs: natural, cacheScope: enumOf("public", "private") };
const page = { nextCursor: str, ...signed };

const tool = obj(
  { name: str, inputSchema: obj({ type: enumOf("object") }, { $schema: str }) },
  { ...described, outputSchema: obj({}, { $schema: str }), annotations: toolAnnotations, ...meta },
);

const changes = obj({}, { listChanged: bool });
const capabilities = obj(
  {},
  {
    experimental: dict(object),
    extensions: dict(object),
    logging: object,
    completions: object,
    prompts: changes,
    tools: changes,
    resources: obj({}, { subscribe: bool, listChanged: bool }),
  },
);
const clientCapabilities = obj(
  {},
  {
    experimental: dict(object),
    extensions: dict(object),
    roots: object,
    sampling: obj({}, { context: object, tools: object }),
    elicitation: obj({}, { form: object, url: object }),
  },
);

const turn = oneOf("type", {
  ...spoken,
  tool_use: obj({ id: str, name: str, input: object }, meta),
  tool_result: obj({ toolUseId: str, content: arr(block) }, { structuredContent: any, isError: bool, ...meta }),
});
const turns = arr(turn);
const said = by((value) => (Array.isArray(value) ? turns : turn));
const preferences = obj(
  {},
  { hints: arr(obj({}, { name: str })), costPriority: unit, speedPriority: unit, intelligencePriority: unit },
);

/** What may be asked of the client in a result, by method. */
const asked: Members = {
  "elicitation/create": elicitation({}),
  "sampling/createMessage": obj(
    { messages: arr(obj({ role, content: said }, meta)), maxTokens: int },
    {
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
  "roots/list": optional(obj({}, meta)),
};
const asking = oneOf(
  "method",
  Object.fromEntries(
    Object.entries(asked).map(([method, params]) => {
      const free = method === "roots/list";
      return [method, free ? obj({}, { params }) : obj({ params })];
    }),
  ),
);

/** A result that asks something of the client before there can be a complete one. */
export const inputRequired = obj(typed, { inputRequests: dict(asking), requestState: str, ...signed });

/** A result of which only an extension knows what it holds. */
const extended = obj(typed, signed);

/** The result of a method that may ask back, or be answered as an extension has it: its resultType tells. */
const orAsking = (complete: Shape): Shape =>
  by((value) => {
    const type = at(value, "resultType");
    if (type === "input_required") return inputRequired;
    return typeof type === "string" && type !== "complete" && type !== "" ? extended : complete;
  });

const subscribed = { _meta: obj({}, { [`${OWN}/subscriptionId`]: id }) };
const told = optional(obj({}, subscribed));
const filter = obj(
  {},
  {
    toolsListChanged: bool,
    promptsListChanged: bool,
    resourcesListChanged: bool,
    resourceSubscriptions: arr(str),
  },
);

export const TABLE: Table = {
  results: {
    "server/discover": obj(
      { ...cacheable, supportedVersions: arr(str), capabilities },
      { instructions: str, ...signed },
    ),
    "tools/list": obj({ ...cacheable, tools: arr(tool) }, page),
    "tools/call": orAsking(
      obj({ ...typed, content: arr(block) }, { structuredContent: any, isError: bool, ...signed }),
    ),
    "resources/list": obj({ ...cacheable, resources: arr(resource) }, page),
    "resources/templates/list": obj({ ...cacheable, resourceTemplates: arr(template) }, page),
    "resources/read": orAsking(obj({ ...cacheable, contents: arr(contents) }, signed)),
    "prompts/list": obj({ ...cacheable, prompts: arr(prompt) }, page),
    "prompts/get": orAsking(obj({ ...typed, messages: arr(promptMessage) }, { description: str, ...signed })),
    "completion/complete": obj(
      { ...typed, completion: obj({ values: arr(str, MOST_COMPLETIONS) }, { total: int, hasMore: bool }) },
      signed,
    ),
    "subscriptions/listen": obj({
      ...typed,
      _meta: obj({ [`${OWN}/subscriptionId`]: id }, { [`${OWN}/serverInfo`]: implementation }),
    }),
  },
  requests: asked,
  notifications: {
    "notifications/message": obj({ level: enumOf(...LEVELS), data: any }, { logger: str, ...subscribed }),
    "notifications/progress": obj({ progressToken: id, progress: num }, { total: num, message: str, ...subscribed }),
    "notifications/cancelled": obj({ requestId: id }, { reason: str, ...subscribed }),
    "notifications/tools/list_changed": told,
    "notifications/prompts/list_changed": told,
    "notifications/resources/list_changed": told,
    "notifications/resources/updated": obj({ uri }, subscribed),
    "notifications/subscriptions/acknowledged": obj({ notifications: filter }, subscribed),
  },
  errors: {
    "-32021": obj({ requiredCapabilities: clientCapabilities }),
    "-32022": obj({ supported: arr(str), requested: str }),
  },
  anyResult: extended,
};
