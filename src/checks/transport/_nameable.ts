import { isReadOnly, safest } from "../../facts/tools.ts";
import { at, isObject, type JsonObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import type { Server } from "../../model/session.ts";
import { sampleArguments } from "../../schema/sample.ts";

/** A request that has to bear Mcp-Name, and that does no harm if it is served. */
export interface Nameable {
  readonly method: string;
  readonly params: JsonObject;
}

/** Those that the declared lists offer: prompts first, then resources, then read-only tools; the simplest of each. */
export async function* nameables(
  capabilities: { readonly [key: string]: unknown },
  server: Server,
): AsyncGenerator<Nameable> {
  if (capabilities["prompts"] !== undefined) {
    const byNeed = (await first(server, "prompts/list", "prompts")).toSorted((a, b) => needs(a) - needs(b));
    yield* byNeed.slice(0, EACH).flatMap(getting);
  }
  if (capabilities["resources"] !== undefined) {
    const listed = await first(server, "resources/list", "resources");
    yield* listed.slice(0, EACH).flatMap((each) => {
      const uri = at(each, "uri");
      return typeof uri === "string" ? [{ method: "resources/read", params: { uri } }] : [];
    });
  }
  if (capabilities["tools"] !== undefined) {
    const reading = safest(await first(server, "tools/list", "tools")).filter(isReadOnly);
    yield* reading.slice(0, EACH).map(({ name, inputSchema }) => ({
      method: "tools/call",
      params: { name, arguments: sampleArguments(inputSchema).args },
    }));
  }
}

// --- internal ---

const EACH = 2;
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** The first page; a list that is no list offers nothing here, and is judged elsewhere. */
async function first(server: Server, method: string, key: string): Promise<readonly unknown[]> {
  const exchange = await server.send(method);
  // A refused credential blocks; whatever else is wrong with a list is its own row's business, and the next may do.
  if (REFUSED.has(exchange.http?.status ?? 0)) await server.attributed(exchange);
  const listed = at(resultOf(exchange.reply), key);
  return Array.isArray(listed) ? listed : [];
}

const required = (prompt: unknown): readonly string[] => {
  const listed = at(prompt, "arguments");
  return (Array.isArray(listed) ? listed : []).flatMap((each) => {
    const name = at(each, "name");
    return at(each, "required") === true && typeof name === "string" ? [name] : [];
  });
};

const needs = (prompt: unknown): number => required(prompt).length;

function getting(prompt: unknown): readonly Nameable[] {
  const name = at(prompt, "name");
  if (!isObject(prompt) || typeof name !== "string") return [];
  const args = Object.fromEntries(required(prompt).map((each) => [each, "assay"]));
  return [{ method: "prompts/get", params: { name, ...(needs(prompt) > 0 ? { arguments: args } : {}) } }];
}
