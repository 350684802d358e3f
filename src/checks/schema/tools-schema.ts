import { lists } from "../../facts/lists.ts";
import { negotiated } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import type { Complaint } from "../../model/outcome.ts";
import { isToolName } from "../../schema/forms.ts";
import { tool as toolShape } from "../../schema/shapes-content.ts";
import { cap } from "../../text/escape.ts";
import { misshapen } from "../_misshapen.ts";
import { noting } from "../_noting.ts";
import { compiled } from "./_dialect.ts";
import { bendItem, besides, called, eachListed } from "./_listed.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

const ROOT = { type: "object" };

/** A server whose last tool, on the last page, has this inputSchema. */
const input = (inputSchema: unknown) =>
  bendItem("tools", "clear_notes", (tool) => {
    tool["inputSchema"] = inputSchema;
  });

export default defineCheck({
  id: "tools-schema",
  title: "Every tool has a name and a valid JSON Schema of an object as its inputSchema",
  why: "Strict clients drop a tool whose schema they can't read, and some drop all tools because of one.",
  fix: 'Give each tool a name and an inputSchema with "type": "object" at its root that is valid in its dialect; {"type":"object"} will do for a tool without parameters.',
  snippet: [
    '{ "name": "search", "inputSchema": { "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] } }',
  ],
  effect: "shared",
  needs: { list: lists.tools, negotiated },
  faults: [
    misshapen(
      "leaves the inputSchema out of one of its tools",
      bendItem("tools", "clear_notes", (tool) => delete tool["inputSchema"]),
      { alsoFails: ["security-tool-schema-defined"] },
    ),
    misshapen("gives one of its tools null for an inputSchema", input(null), {
      alsoFails: ["security-tool-schema-defined"],
    }),
    misshapen("gives one of its tools true for an inputSchema", input(true), {
      alsoFails: ["security-tool-schema-defined"],
    }),
    misshapen("reduces an inputSchema to its $schema", input({ $schema: DRAFT_07 })),
    misshapen("lists a tool whose inputSchema is an anyOf without a type", input({ anyOf: [{ type: "object" }] })),
    misshapen(
      "lists a tool whose inputSchema is a $ref without a type",
      input({ $ref: "#/$defs/args", $defs: { args: { type: "object" } } }),
    ),
    misshapen("lists a tool whose inputSchema is of an array", input({ type: "array", items: {} })),
    misshapen("allows null for the arguments of a tool", input({ type: ["object", "null"] })),
    fault("requires null in an inputSchema", input({ type: "object", properties: {}, required: null })),
    fault(
      "gives a property a type that does not exist",
      input({ type: "object", properties: { when: { type: "datetime" } } }),
    ),
    fault(
      "refers to a definition that is not there",
      input({ type: "object", properties: { a: { $ref: "#/$defs/gone" } } }),
    ),
    fault(
      "writes a draft-04 exclusiveMinimum under draft-07",
      input({
        $schema: DRAFT_07,
        type: "object",
        properties: { a: { type: "number", minimum: 0, exclusiveMinimum: true } },
      }),
    ),
    misshapen(
      "lists a tool without a name",
      bendItem("tools", "clear_notes", (tool) => delete tool["name"]),
    ),
    fault(
      "lists a tool with an empty name",
      bendItem("tools", "clear_notes", (tool) => {
        tool["name"] = "";
      }),
    ),
    misshapen(
      "names a tool by a number",
      bendItem("tools", "clear_notes", (tool) => {
        tool["name"] = 7;
      }),
    ),
  ],
  async run({ list, negotiated }) {
    const { items } = list;
    const outcome = eachListed("tools", list, items, (tool, index) => complaint(tool, index, negotiated));
    // The form of names came with 2025-11-25, and clients SHOULD level only.
    const unusual = negotiated < "2025-11-25" ? [] : items.flatMap(unusualName);
    return noting(outcome, [
      ...unusual,
      ...repeated(items),
      ...items.flatMap(unjudged(negotiated)),
      ...items.flatMap(besides("tool", toolShape, ELSEWHERE, negotiated)),
    ]);
  },
});

// --- internal ---

/** Members that this row and its neighbours judge. */
const ELSEWHERE = { name: "x", title: "", inputSchema: ROOT, outputSchema: ROOT, annotations: {} };

function complaint(tool: unknown, index: number, negotiated: string): Complaint {
  if (!isObject(tool)) return ["an object for each tool", kindOf(tool)];
  const { name, inputSchema } = tool;
  const who = called("tool", tool, index);
  if (typeof name !== "string") return ["a name for each tool", `${kindOf(name)} for ${who}`];
  if (name === "") return ["a name for each tool", `an empty name for ${who}`];
  if (!isObject(inputSchema)) return ["an inputSchema object", `${kindOf(inputSchema)} for ${who}`];
  if (inputSchema["type"] !== "object")
    return ['type "object" at the root of each inputSchema', `${typeOf(inputSchema["type"])} for ${who}`];
  const schema = compiled(inputSchema, negotiated);
  return schema.ok === false
    ? ["an inputSchema that is valid JSON Schema", `${cap(schema.reason, 160)} for ${who}`]
    : undefined;
}

const typeOf = (type: unknown): string => (type === undefined ? "no type" : `type ${cap(JSON.stringify(type), 60)}`);

function unusualName(tool: unknown): readonly string[] {
  const name = isObject(tool) ? tool["name"] : undefined;
  if (typeof name !== "string" || isToolName(name)) return [];
  return [`${called("tool", tool, 0)} has a name outside A-Z a-z 0-9 _ - . or of more than 128 characters`];
}

function repeated(items: readonly unknown[]): readonly string[] {
  const names = items.flatMap((tool) => (isObject(tool) && typeof tool["name"] === "string" ? [tool["name"]] : []));
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
  return [...twice].map((name) => `${called("tool", { name }, 0)} is listed more than once`);
}

const unjudged =
  (negotiated: string) =>
  (tool: unknown, index: number): readonly string[] => {
    const schema = compiled(isObject(tool) ? tool["inputSchema"] : undefined, negotiated);
    return schema.ok === "unknown-dialect"
      ? [
          `the inputSchema of ${called("tool", tool, index)} was not judged: ${cap(schema.dialect, 80)} ${schema.reason}`,
        ]
      : [];
  };
