import type { HttpPlan, HttpRequestView, Rules } from "../model/bendable.ts";
import { at, isObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";
import { MODERN, metaOf } from "./modern.ts";
import { answer } from "./plan.ts";
import { tools } from "./tools.ts";

const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/**
 * Why the headers of a modern request are refused (2026-07-28, basic/transports/streamable-http#request-headers), or
 * undefined. A body without usable _meta is judged by its message first, as are notifications.
 */
export function headerProblem({ headers }: HttpRequestView, message: Message, rules: Rules): HttpPlan | undefined {
  const { method } = message;
  if (message.id === undefined || typeof method !== "string") return undefined;
  if (rules.meta.some((key) => metaOf(message, key) === undefined)) return undefined;
  const refuse = (what: string) =>
    answer(400, { jsonrpc: "2.0", id: message.id, error: { code: -32020, message: `header mismatch: ${what}` } });
  const version = metaOf(message, "protocolVersion");
  if (rules.headers.includes("version") && version !== undefined && headers["mcp-protocol-version"] !== version)
    return refuse("MCP-Protocol-Version");
  if (rules.headers.includes("method") && headers["mcp-method"] !== method) return refuse("Mcp-Method");
  if (version !== MODERN) return undefined;
  const member = NAMED[method];
  const name = member === undefined ? undefined : at(message.params, member);
  if (typeof name === "string" && rules.headers.includes("name") && decoded(headers["mcp-name"]) !== name) {
    return refuse("Mcp-Name");
  }
  const odd = method === "tools/call" && rules.headers.includes("params") ? oddParam(message, headers) : undefined;
  return odd === undefined ? undefined : refuse(odd);
}

// --- internal ---

/** The header of an argument that the tool wants in one, where the two disagree. */
function oddParam(message: Message, headers: HttpRequestView["headers"]): string | undefined {
  const tool = tools.find(({ name }) => name === at(message.params, "name"));
  const properties = tool?.inputSchema["properties"];
  if (!isObject(properties)) return undefined;
  for (const [argument, schema] of Object.entries(properties)) {
    const header = at(schema, "x-mcp-header");
    const value = at(message.params, "arguments", argument);
    if (typeof header !== "string" || value === undefined || value === null) continue;
    if (decoded(headers[`mcp-param-${header.toLowerCase()}`]) !== String(value)) return `Mcp-Param-${header}`;
  }
  return undefined;
}

/** The value that a header stands for; undefined where it starts like Base64 and is none, padding included. */
function decoded(value: string | undefined): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(value ?? "")?.[1];
  if (coded === undefined) return value;
  const bytes = Buffer.from(coded, "base64");
  return bytes.toString("base64") === coded ? bytes.toString("utf8") : undefined;
}
