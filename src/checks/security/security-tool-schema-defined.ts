import { lists, pagesOf } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at, isObject, kindOf } from "../../model/json.ts";
import { each } from "../../model/outcome.ts";

const listed = (name: string, schema: unknown): Fault =>
  fault(name, (server) => server.put("tools/list", ["tools", 1, "inputSchema"], schema), {
    alsoFails: ["tools-schema", "schema-wire-valid"],
  });

export default defineCheck({
  id: "security-tool-schema-defined",
  title: "Every tool defines an inputSchema object",
  why: "Without a schema neither the model nor the client knows what a tool takes, and nobody can refuse what it must not take.",
  fix: 'Give every tool an inputSchema; one that takes nothing has { "type": "object", "additionalProperties": false }.',
  snippet: ['{ "name": "now", "inputSchema": { "type": "object", "additionalProperties": false } }'],
  effect: "shared",
  needs: { list: lists.tools },
  faults: [
    listed("gives a tool no inputSchema", undefined),
    listed("gives a tool null for an inputSchema", null),
    listed("gives a tool true for an inputSchema", true),
    listed("gives a tool an array for an inputSchema", []),
    listed("gives a tool a string of JSON for an inputSchema", '{"type":"object"}'),
    fault(
      "gives a tool of its second page no inputSchema",
      (server) =>
        server.edit("tools/list", (result, { params }) => {
          const first = at(result, "tools", 0);
          if (params["cursor"] === undefined || !isObject(first)) return undefined;
          const { inputSchema: _, ...rest } = first;
          const others = Array.isArray(result["tools"]) ? result["tools"].slice(1) : [];
          return { ...result, tools: [rest, ...others] };
        }),
      { alsoFails: ["tools-schema", "schema-wire-valid"] },
    ),
  ],
  async run({ list }) {
    return each(
      "tools",
      list.items,
      (tool) => {
        const schema = at(tool, "inputSchema");
        if (!isObject(tool)) return ["a tool with an inputSchema object", kindOf(tool)];
        return isObject(schema)
          ? undefined
          : ["an inputSchema object for each tool", `${kindOf(schema)} for ${nameOf(tool)}`];
      },
      pagesOf(list),
    );
  },
});

// --- internal ---

const nameOf = (tool: unknown): string => {
  const name = at(tool, "name");
  return typeof name === "string" ? JSON.stringify(name.slice(0, 60)) : "a tool without a name";
};
