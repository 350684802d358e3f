import type { Draft, Serving } from "../model/bendable.ts";
import { at } from "../model/json.ts";
import { rpcError } from "../model/message.ts";
import { media, notes } from "./notes.ts";

/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: unknown };
  readonly outputSchema?: { readonly [key: string]: unknown };
  readonly annotations: { readonly [key: string]: unknown };
}

export type ToolHandler = (args: Draft, serving: Serving) => unknown;

const reading = { readOnlyHint: true, openWorldHint: false };
const none = { type: "object", properties: {}, additionalProperties: true };
const one = (name: string, schema: object) => ({ type: "object", properties: { [name]: schema }, required: [name] });

export const text = (value: string) => ({ content: [{ type: "text", text: value }] });
export const refusal = (value: string) => ({ ...text(value), isError: true });

export const tools: readonly ListedTool[] = [
  {
    name: "echo",
    title: "Echo",
    description: "Gives back the text it was given.",
    inputSchema: one("text", { type: "string" }),
    annotations: { ...reading, title: "Echo" },
  },
  {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    annotations: reading,
  },
  {
    name: "find_notes",
    description: "Finds the notes that contain a text.",
    // 2026-07-28: clients repeat this argument in the header Mcp-Param-Query; older revisions ignore the keyword.
    inputSchema: one("query", { type: "string", "x-mcp-header": "Query" }),
    annotations: reading,
  },
  { name: "now", description: "Tells how many calls were served.", inputSchema: none, annotations: reading },
  { name: "show_media", description: "Shows one of each kind of content.", inputSchema: none, annotations: reading },
  {
    name: "count",
    description: "Counts up and reports its progress.",
    inputSchema: { type: "object", properties: { steps: { type: "integer", minimum: 1, maximum: 5, default: 3 } } },
    annotations: reading,
  },
  { name: "ask_model", description: "Asks the client's model a question.", inputSchema: none, annotations: reading },
  { name: "ask_user", description: "Asks the client's user for a colour.", inputSchema: none, annotations: reading },
  { name: "show_roots", description: "Lists the client's roots.", inputSchema: none, annotations: reading },
  {
    name: "read_note",
    description: "Reads a note by its path.",
    inputSchema: one("path", { type: "string", description: "Path of a note" }),
    annotations: reading,
  },
  {
    name: "check_link",
    description: "Tells whether a note links to an address.",
    inputSchema: one("url", { type: "string", format: "uri" }),
    annotations: reading,
  },
  {
    name: "clear_notes",
    description: "Deletes all notes.",
    inputSchema: none,
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
];

/** What each tool does; each is given its arguments and returns the result of tools/call. */
export function toolHandlers(): Map<string, ToolHandler> {
  let served = 0;
  return new Map<string, ToolHandler>([
    ["echo", ({ text: said }) => (typeof said === "string" ? text(said) : refusal("text has to be a string"))],
    ["add", add],
    ["now", () => text(`${++served} calls`)],
    [
      "show_media",
      (_, { session: { protocolVersion } }) => ({
        content: [
          { type: "text", text: "" },
          media.image,
          ...(protocolVersion >= "2025-03-26" ? [media.audio] : []),
          ...(protocolVersion >= "2025-06-18" ? [media.link] : []),
          media.resource,
        ],
      }),
    ],
    ["count", count],
    ["ask_model", askModel],
    ["ask_user", askUser],
    ["show_roots", showRoots],
    [
      "read_note",
      ({ path }) => {
        const note = typeof path === "string" ? notes.get(path) : undefined;
        return note === undefined ? refusal("there is no note of that path") : text(note);
      },
    ],
    [
      "find_notes",
      ({ query }) => {
        if (typeof query !== "string") return refusal("query has to be a string");
        return text(`${[...notes.values()].filter((note) => note.includes(query)).length} notes`);
      },
    ],
    [
      "check_link",
      ({ url }) => (typeof url === "string" ? text("no note links there") : refusal("url has to be a string")),
    ],
    [
      "clear_notes",
      (_, { session }) => {
        session.memory.set("cleared", true);
        return text("cleared");
      },
    ],
  ]);
}

// --- internal ---

function add({ a, b }: Draft): unknown {
  if (typeof a !== "number" || typeof b !== "number") return refusal("a and b have to be numbers");
  const structuredContent = { sum: a + b };
  return { ...text(JSON.stringify(structuredContent)), structuredContent };
}

async function count({ steps = 3 }: Draft, { params, notify }: Serving): Promise<unknown> {
  if (typeof steps !== "number") return refusal("steps has to be a number");
  const progressToken = at(params, "_meta", "progressToken");
  for (let progress = 1; progress <= Math.min(steps, 5) && progressToken !== undefined; progress++) {
    notify("notifications/progress", { progressToken, progress, total: steps });
    // Clients forget a token with the answer: give each notification the time to be read before it.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return text(`counted to ${steps}`);
}

/** Section basic/patterns/mrtr of 2026-07-28: what the server asks of the client is a result that is asked again. */
function askedBy({ session, params }: Serving, capability: string, request: unknown): unknown {
  if (session.protocolVersion < "2026-07-28") return undefined;
  if (session.capabilities[capability] === undefined) return { needs: { requiredCapabilities: { [capability]: {} } } };
  const answer = at(params, "inputResponses", "answer");
  if (answer !== undefined && params["requestState"] === "asked-once") return text("the client answered");
  return { resultType: "input_required", inputRequests: { answer: request }, requestState: "asked-once" };
}

const QUESTION = { messages: [{ role: "user", content: { type: "text", text: "Say something." } }], maxTokens: 20 };
const FORM = {
  message: "Which colour do you like?",
  requestedSchema: {
    type: "object",
    properties: { colour: { type: "string", title: "Colour" } },
    required: ["colour"],
  },
};

async function askModel(_: Draft, serving: Serving): Promise<unknown> {
  const { session, ask } = serving;
  const asked = askedBy(serving, "sampling", { method: "sampling/createMessage", params: QUESTION });
  if (asked !== undefined) return asked;
  if (session.capabilities["sampling"] === undefined) return refusal("this client does not sample");
  const answer = await ask("sampling/createMessage", QUESTION);
  return rpcError(answer) === undefined ? text("the model answered") : refusal("the model did not answer");
}

async function askUser(_: Draft, serving: Serving): Promise<unknown> {
  const { session, ask } = serving;
  const asked = askedBy(serving, "elicitation", { method: "elicitation/create", params: FORM });
  if (asked !== undefined) return asked;
  const offered = session.capabilities["elicitation"];
  if (offered === undefined || (at(offered, "url") !== undefined && at(offered, "form") === undefined)) {
    return refusal("this client shows no forms");
  }
  const answer = await ask("elicitation/create", FORM);
  return text(`the user's answer: ${String(at(answer.result, "action"))}`);
}

async function showRoots(_: Draft, serving: Serving): Promise<unknown> {
  const { session, ask } = serving;
  const asked = askedBy(serving, "roots", { method: "roots/list" });
  if (asked !== undefined) return asked;
  if (session.capabilities["roots"] === undefined) return refusal("this client has no roots");
  const roots = at((await ask("roots/list")).result, "roots");
  return text(`${Array.isArray(roots) ? roots.length : "no"} roots`);
}
