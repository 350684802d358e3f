import * as v from "valibot";
import { lists } from "../../facts/lists.ts";
import { negotiated } from "../../facts/opening.ts";
import { attempts, type Call } from "../../facts/tools.ts";
import type { Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import { type Complaint, fail, pass, skipped } from "../../model/outcome.ts";
import { cap } from "../../text/escape.ts";
import { misshapen } from "../_misshapen.ts";
import { noting } from "../_noting.ts";
import { compiled } from "./_dialect.ts";
import { bendItem, called, eachListed } from "./_listed.ts";

/** A server whose last tool, which is never called, has this outputSchema. */
const output = (outputSchema: unknown) =>
  bendItem("tools", "clear_notes", (tool) => {
    tool["outputSchema"] = outputSchema;
  });
/** A server whose tool `add` answers with this; its outputSchema wants a number `sum`. */
const adding = (result: Draft) => ({ content: [{ type: "text", text: "2" }], ...result });

export default defineCheck({
  id: "tools-output-schema",
  title: "An outputSchema is a valid JSON Schema, and structured results conform to it",
  why: "Clients validate structuredContent against outputSchema and raise an error on every call that breaks it.",
  fix: 'Give outputSchema a valid JSON Schema (before 2026-07-28 with "type": "object" at its root), and send structuredContent that conforms to it with each result that is no isError.',
  snippet: [
    '"outputSchema": { "type": "object", "properties": { "count": { "type": "integer" } }, "required": ["count"] }',
    '"result": { "structuredContent": { "count": 3 }, "content": [{ "type": "text", "text": "{\\"count\\":3}" }] }',
  ],
  effect: "shared",
  needs: { list: lists.tools, attempts, negotiated },
  params: v.object({ rootType: v.nullable(v.string()) }),
  faults: [
    misshapen("lists a tool whose outputSchema is null", output(null)),
    misshapen("lists a tool whose outputSchema is a text", output("a number")),
    fault("lists a tool whose outputSchema has no type", output({ description: "x" }), { only: "2025-11-25" }),
    fault("lists a tool whose outputSchema is of an array", output({ type: "array", items: { type: "object" } }), {
      only: "2025-11-25",
    }),
    fault("requires a text in an outputSchema", output({ type: "object", required: "sum" })),
    fault("refers to nothing in an outputSchema", output({ type: "object", properties: { a: { $ref: "#/$defs/a" } } })),
    fault("declares an outputSchema and answers with text only", (server) => server.tool("add", () => adding({}))),
    fault("declares an outputSchema and answers with structuredContent null", (server) =>
      server.tool("add", () => adding({ structuredContent: null })),
    ),
    fault("answers with structuredContent of another type than its schema", (server) =>
      server.tool("add", () => adding({ structuredContent: { sum: "2" } })),
    ),
    fault("leaves a required member out of structuredContent", (server) =>
      server.tool("add", () => adding({ structuredContent: { total: 2 } })),
    ),
    fault("wraps structuredContent in an array", (server) =>
      server.tool("add", () => adding({ structuredContent: [{ sum: 2 }] })),
    ),
  ],
  async run({ list, attempts, negotiated }, { params }) {
    const declaring = list.items.filter((tool) => isObject(tool) && "outputSchema" in tool);
    if (declaring.length === 0) return skipped("no tool declares an outputSchema");
    const outcome = eachListed("output schemas", list, declaring, (tool, index) =>
      schemaComplaint(tool, index, params.rootType, negotiated),
    );
    if (outcome.status !== "pass") return outcome;
    const made = attempts.filter((call) => call.completed !== undefined && "outputSchema" in call.tool.raw);
    for (const call of made) {
      const found = resultComplaint(call, params.rootType, negotiated);
      if (found !== undefined) return fail(found[0], found[1], call.exchange);
    }
    const saw = `${declaring.length} output schemas and ${made.length} structured results`;
    const notes = declaring.flatMap(unjudged(negotiated));
    return noting(pass(saw, undefined, made[0]?.exchange, list.walk.pages[0]?.exchange), notes);
  },
});

// --- internal ---

/** The type that the root of each outputSchema has to have; null where any will do. */
type RootType = string | null;

function schemaComplaint(tool: unknown, index: number, rootType: RootType, negotiated: string): Complaint {
  const schema = isObject(tool) ? tool["outputSchema"] : undefined;
  const who = called("tool", tool, index);
  if (!isObject(schema)) return ["an outputSchema object", `${kindOf(schema)} for ${who}`];
  if (typeof rootType === "string" && schema["type"] !== rootType) {
    const type = schema["type"] === undefined ? "no type" : `type ${cap(JSON.stringify(schema["type"]), 60)}`;
    return [`type "${rootType}" at the root of each outputSchema`, `${type} for ${who}`];
  }
  const found = compiled(schema, negotiated);
  return found.ok === false
    ? ["an outputSchema that is valid JSON Schema", `${cap(found.reason, 160)} for ${who}`]
    : undefined;
}

function resultComplaint({ tool, completed }: Call, rootType: RootType, negotiated: string): Complaint {
  const content = completed?.["structuredContent"];
  const who = `tool ${JSON.stringify(cap(tool.name, 60))}`;
  // Where any root type will do, null is a value as good as others: the schema decides.
  if (content === undefined || (content === null && typeof rootType === "string")) {
    return ["structuredContent in a result of a tool with outputSchema", `${kindOf(content)} from ${who}`];
  }
  const schema = compiled(tool.outputSchema, negotiated);
  const found = schema.ok === true ? schema.validate(content) : undefined;
  return found === undefined
    ? undefined
    : ["structuredContent that conforms to outputSchema", `${cap(found, 160)} from ${who}`];
}

const unjudged =
  (negotiated: string) =>
  (tool: unknown, index: number): readonly string[] => {
    const schema = compiled(isObject(tool) ? tool["outputSchema"] : undefined, negotiated);
    return schema.ok === "unknown-dialect"
      ? [
          `the outputSchema of ${called("tool", tool, index)} was not judged: ${cap(schema.dialect, 80)} ${schema.reason}`,
        ]
      : [];
  };
