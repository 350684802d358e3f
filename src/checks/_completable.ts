import { itemsOf, type Walk, walk } from "../facts/lists.ts";
import { at, type JsonObject } from "../model/json.ts";
import type { Session } from "../model/session.ts";

/** The params of completion/complete for something that is listed; a list that failed where there is no such thing. */
export interface Completable {
  readonly found?: JsonObject;
  readonly broken?: Walk;
}

/** The first argument of a listed prompt, else the first variable of a listed template. */
export async function completable(
  server: Session,
  capabilities: { readonly [key: string]: unknown },
): Promise<Completable> {
  const prompts = await listed(server, "prompts", capabilities);
  const argument = firstArgument(prompts);
  if (argument !== undefined) return { found: argument };
  const templates = await listed(server, "resources", capabilities);
  const variable = firstVariable(templates);
  if (variable !== undefined) return { found: variable };
  const broken = [prompts, templates].find((list) => list?.end === "error");
  return broken === undefined ? {} : { broken };
}

/** The params of completion/complete for a prompt that is not there. */
export const incompletable = (name: string): JsonObject => argumentOf({ type: "ref/prompt", name }, "argument");

// --- internal ---

async function listed(
  server: Session,
  of: "prompts" | "resources",
  capabilities: { readonly [key: string]: unknown },
): Promise<Walk | undefined> {
  if (capabilities[of] === undefined) return undefined;
  return of === "prompts"
    ? walk(server, "prompts/list", "prompts")
    : walk(server, "resources/templates/list", "resourceTemplates");
}

const argumentOf = (ref: JsonObject, name: string): JsonObject => ({ ref, argument: { name, value: "" } });

function firstArgument(list: Walk | undefined): JsonObject | undefined {
  for (const prompt of list === undefined ? [] : itemsOf(list)) {
    const name = at(prompt, "name");
    const argument = at(prompt, "arguments", 0, "name");
    if (typeof name === "string" && typeof argument === "string") {
      return argumentOf({ type: "ref/prompt", name }, argument);
    }
  }
  return undefined;
}

/** RFC 6570: an operator, then names with modifiers. */
function firstVariable(list: Walk | undefined): JsonObject | undefined {
  for (const template of list === undefined ? [] : itemsOf(list)) {
    const uri = at(template, "uriTemplate");
    const name = typeof uri === "string" ? /\{[+#./;?&]?([A-Za-z0-9_.%]+)/.exec(uri)?.[1] : undefined;
    if (typeof uri === "string" && name !== undefined) return argumentOf({ type: "ref/resource", uri }, name);
  }
  return undefined;
}
