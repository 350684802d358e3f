import type { AnySchema } from "ajv";
import { isObject } from "../model/json.ts";

/** Keywords whose value is a schema. */
const ONE = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** Keywords whose value is an array of schemas. */
const MANY = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
/** Keywords whose value has schemas as its members. */
const NAMED = new Set(["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"]);
/** Stands for no value at all: an `enum` may be empty, which Ajv refuses. */
const NOTHING = "\u0000 no value of this enum \u0000";
/** Words that Ajv obeys and JSON Schema has never heard of. */
const FOREIGN = new Set(["$async", "nullable"]);

/**
 * A copy of a schema without the words that mean something to Ajv only, and without members named `__proto__`.
 * `early`: of a dialect before 2019-09, in which what stands beside a `$ref` counts for nothing. Ajv forgets that
 * of `type` only; the others stay, as something may refer to them.
 */
export function standard(schema: Readonly<Record<string, unknown>> | boolean, early: boolean): AnySchema {
  if (typeof schema === "boolean") return schema;
  const members: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (FOREIGN.has(key) || key === "__proto__" || (early && key === "type" && "$ref" in schema)) continue;
    members.push([key, member(key, value, early)]);
  }
  return Object.fromEntries(members);
}

function member(key: string, value: unknown, early: boolean): unknown {
  const copy = (schema: unknown) => (isObject(schema) ? standard(schema, early) : schema);
  if (MANY.has(key) && Array.isArray(value)) return value.map(copy);
  if (key === "enum" && Array.isArray(value)) return choices(value);
  if (ONE.has(key)) return copy(value);
  if (!NAMED.has(key) || !isObject(value)) return value;
  const schemas = Object.entries(value).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(schemas.map(([name, schema]) => [name, copy(schema)]));
}

/** That an enum has values, each once, is a SHOULD in every dialect; Ajv's meta-schema of draft-07 is older than that text. */
function choices(values: readonly unknown[]): readonly unknown[] {
  if (values.length === 0) return [NOTHING];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
