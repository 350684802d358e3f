import { at, type JsonObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import type { Session } from "../../model/session.ts";

/** What a subscription is to be told of. */
export type Filter = JsonObject;

type Declared = { readonly [key: string]: unknown };

/** Whether the server declares that it tells of any change. */
export const offersChanges = (capabilities: Declared): boolean =>
  CHANGES.some(([name]) => changes(capabilities, name)) || subscribes(capabilities);

/** Everything that the server declares to tell of; changes of the tools where it declares nothing. */
export async function filterFor(capabilities: Declared, server: Session): Promise<Filter> {
  const kinds = CHANGES.filter(([name]) => changes(capabilities, name)).map(([, kind]) => [kind, true] as const);
  const uri = subscribes(capabilities)
    ? at(resultOf((await server.send("resources/list")).reply), ...FIRST)
    : undefined;
  const filter = { ...Object.fromEntries(kinds), ...(typeof uri === "string" ? { resourceSubscriptions: [uri] } : {}) };
  return Object.keys(filter).length === 0 ? { toolsListChanged: true } : filter;
}

/** What is honoured and was not asked for, if anything. What is said not to be honoured is no matter. */
export function unasked(honoured: Declared, filter: Filter): string | undefined {
  for (const [name, value] of Object.entries(honoured)) {
    if (value === false || value === null || (Array.isArray(value) && value.length === 0)) continue;
    const wanted = at(filter, name);
    if (wanted === undefined) return name.slice(0, 60);
    const more =
      Array.isArray(wanted) && Array.isArray(value) ? value.find((each) => !wanted.includes(each)) : undefined;
    if (more !== undefined) return `${name} with ${String(more).slice(0, 60)}`;
  }
  return undefined;
}

// --- internal ---

const FIRST = ["resources", 0, "uri"] as const;
const CHANGES = [
  ["tools", "toolsListChanged"],
  ["prompts", "promptsListChanged"],
  ["resources", "resourcesListChanged"],
] as const;

const changes = (capabilities: Declared, name: string): boolean => at(capabilities, name, "listChanged") === true;
const subscribes = (capabilities: Declared): boolean => at(capabilities, "resources", "subscribe") === true;
