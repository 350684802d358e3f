import { defineFact, known } from "../model/fact.ts";
import { at, isObject, type JsonObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import type { Server } from "../model/session.ts";
import { sampleArguments, stringArguments } from "../schema/sample.ts";
import { capabilities } from "./opening.ts";
import { isReadOnly, type Tool } from "./tools.ts";

/** A request whose result gives back a text, as was seen with one of plain ASCII. */
export interface Echo {
  /** What gives it back, as a noun. */
  readonly name: string;
  ask(text: string): { readonly method: string; readonly params: JsonObject };
}

/** Found by behaviour among read-only tools and prompts, ten of each at most; `echo` is undefined where none is. */
export const echo = defineFact<{ readonly echo: Echo | undefined }, { capabilities: typeof capabilities }>({
  name: "echo",
  needs: { capabilities },
  async learn({ capabilities }, server) {
    const offers = [
      ...(capabilities["tools"] === undefined ? [] : [{ list: "tools/list", key: "tools", asking: byTool }]),
      ...(capabilities["prompts"] === undefined ? [] : [{ list: "prompts/list", key: "prompts", asking: byPrompt }]),
    ];
    for (const { list, key, asking } of offers) {
      const candidates = (await itemsOf(server, list, key)).flatMap(asking).slice(0, MOST);
      for (const each of candidates) if (await echoes(server, each)) return known({ echo: each });
    }
    return known({ echo: undefined });
  },
});

/** All texts in a JSON value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

// --- internal ---

const MOST = 10;
const PAGES = 10;

async function itemsOf(server: Server, method: string, key: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const result = resultOf((await server.send(method, cursor === undefined ? undefined : { cursor })).reply);
    const listed = at(result, key);
    if (Array.isArray(listed)) items.push(...listed);
    const next = at(result, "nextCursor");
    if (typeof next !== "string" || next === cursor) break;
    cursor = next;
  }
  return items;
}

function byTool(raw: unknown): readonly Echo[] {
  const name = at(raw, "name");
  if (!isObject(raw) || typeof name !== "string") return [];
  const tool: Tool = { name, description: "", inputSchema: raw["inputSchema"], outputSchema: undefined, raw };
  if (!isReadOnly(tool)) return [];
  const free = stringArguments(tool.inputSchema).find(({ required, format }) => required && format === undefined);
  if (free === undefined) return [];
  const { args } = sampleArguments(tool.inputSchema);
  const ask = (text: string) => ({ method: "tools/call", params: { name, arguments: { ...args, [free.name]: text } } });
  return [{ name: `tool ${name}`, ask }];
}

function byPrompt(raw: unknown): readonly Echo[] {
  const name = at(raw, "name");
  const listed = at(raw, "arguments");
  if (typeof name !== "string" || !Array.isArray(listed)) return [];
  const names = listed.map((each) => at(each, "name")).filter((each) => typeof each === "string");
  if (names.length === 0) return [];
  const ask = (text: string) => ({
    method: "prompts/get",
    params: { name, arguments: Object.fromEntries(names.map((each) => [each, text])) },
  });
  return [{ name: `prompt ${name}`, ask }];
}

async function echoes(server: Server, { ask }: Echo): Promise<boolean> {
  const control = server.unique();
  const { method, params } = ask(control);
  const result = resultOf((await server.send(method, params)).reply);
  return at(result, "isError") !== true && textsIn(result).some((text) => text.includes(control));
}
