import type { Answer, Draft, Rules, Serving } from "../model/bendable.ts";
import type { World } from "../model/fault.ts";
import { at } from "../model/json.ts";
import { contentsOf, languages, media, prompts, resources, templates } from "./notes.ts";
import { type ToolHandler, tools } from "./tools.ts";

export type Handler = (serving: Serving) => Answer | undefined | Promise<Answer | undefined>;

/** The revisions it negotiates, newest first. */
export const NEGOTIATED = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const ok = (result: unknown): Answer => ({ result });
const refuse = (code: number, message: string, data?: unknown): Answer => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
});
export const invalid = (message: string): Answer => refuse(-32602, message);

/** How the correct server answers each method (2025-11-25). */
export function answers(world: World, rules: Rules, handlers: ReadonlyMap<string, ToolHandler>): Map<string, Handler> {
  const page =
    (key: string, items: readonly unknown[]): Handler =>
    ({ params }) => {
      const from = fromCursor(params["cursor"], items.length);
      if (from === undefined) return invalid("unknown cursor");
      const to = from + rules.pageSize;
      return ok({
        [key]: structuredClone(items.slice(from, to)),
        ...(to < items.length ? { nextCursor: toCursor(to) } : {}),
      });
    };
  const opening: [string, Handler][] = [
    ["initialize", ({ params }) => ok(initializeResult(world, params))],
    ["ping", () => ok({})],
  ];
  if (world.bare === true) return new Map(opening);
  return new Map<string, Handler>([
    ...opening,
    ["tools/list", page("tools", tools)],
    ["tools/call", (serving) => callTool(handlers, serving)],
    ["resources/list", page("resources", resources)],
    ["resources/templates/list", page("resourceTemplates", templates)],
    ["resources/read", ({ params }) => read(params)],
    ["resources/subscribe", ({ params }) => (known(params["uri"]) ? ok({}) : notFound(params["uri"]))],
    ["resources/unsubscribe", ({ params }) => (known(params["uri"]) ? ok({}) : notFound(params["uri"]))],
    ["prompts/list", page("prompts", prompts)],
    ["prompts/get", ({ params }) => getPrompt(params)],
    ["completion/complete", ({ params }) => complete(params)],
    [
      "logging/setLevel",
      ({ params, session }) => {
        if (!LEVELS.includes(String(params["level"]))) return invalid("unknown log level");
        session.memory.set("level", params["level"]);
        return ok({});
      },
    ],
  ]);
}

/** What it declares; a bare server nothing. */
export const declared = (bare: boolean | undefined) =>
  bare === true
    ? {}
    : {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      };

// --- internal ---

function initializeResult({ bare, newest = NEGOTIATED[0] }: World, params: Draft): unknown {
  const spoken = NEGOTIATED.filter((each) => each <= newest);
  const asked = spoken.find((each) => each === params["protocolVersion"]);
  return {
    protocolVersion: asked ?? spoken[0],
    capabilities: declared(bare),
    serverInfo: { name: "mcp-assay-reference", title: "The reference server", version: "1.0.0" },
    ...(bare === true ? {} : { instructions: "Notes to read, and tools that do no harm." }),
  };
}

async function callTool(handlers: ReadonlyMap<string, ToolHandler>, serving: Serving): Promise<Answer> {
  const { name, arguments: args = {} } = serving.params;
  if (typeof name !== "string") return invalid("name has to be a string");
  const handler = handlers.get(name);
  if (handler === undefined) return invalid(`unknown tool: ${name}`);
  if (typeof args !== "object" || args === null || Array.isArray(args)) return invalid("arguments has to be an object");
  return ok(await handler({ ...args }, serving));
}

const known = (uri: unknown): uri is string => typeof uri === "string" && contentsOf(uri) !== undefined;
const notFound = (uri: unknown): Answer =>
  typeof uri === "string" ? refuse(-32002, "resource not found", { uri }) : invalid("uri has to be a string");

function read({ uri }: Draft): Answer {
  return known(uri) ? ok({ contents: [contentsOf(uri)] }) : notFound(uri);
}

function getPrompt({ name, arguments: args }: Draft): Answer {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) return invalid("unknown prompt");
  const needed = "arguments" in prompt ? prompt.arguments.filter((each) => each.required) : [];
  const missing = needed.find((each) => typeof at(args, each.name) !== "string");
  if (missing !== undefined) return invalid(`missing argument: ${missing.name}`);
  const content = name === "picture" ? media.image : { type: "text", text: `About ${prompt.name}.` };
  return ok({ messages: [{ role: "user", content }] });
}

function complete({ ref, argument }: Draft): Answer {
  const prompt = at(ref, "type") === "ref/prompt" && prompts.some((each) => each.name === at(ref, "name"));
  const template = at(ref, "type") === "ref/resource" && templates.some((each) => each.uriTemplate === at(ref, "uri"));
  const value = at(argument, "value");
  if ((!prompt && !template) || typeof value !== "string") return invalid("nothing to complete there");
  const offered: readonly string[] = prompt ? languages : ["first", "second", "empty"];
  const values = offered.filter((each) => each.startsWith(value));
  return ok({ completion: { values, total: values.length, hasMore: false } });
}

const toCursor = (from: number): string => Buffer.from(`from:${from}`).toString("base64url");

function fromCursor(cursor: unknown, length: number): number | undefined {
  if (cursor === undefined) return 0;
  if (typeof cursor !== "string") return undefined;
  const from = /^from:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  return from !== undefined && Number(from) < length && toCursor(Number(from)) === cursor ? Number(from) : undefined;
}
