import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { type Facets, type Flat, flattened, memberOf, typesOf } from "./flat.ts";
import { sampleNumber } from "./sample-number.ts";
import { sampleText } from "./sample-text.ts";

/** Arguments for a call, and the names of those whose value the schema doesn't give. */
export interface Sample {
  readonly args: JsonObject;
  readonly guessed: readonly string[];
}

/** What the schema requires and nothing else; the same arguments for the same schema, always. */
export function sampleArguments(inputSchema: unknown): Sample {
  const work: Work = { root: inputSchema, left: MOST_VALUES, invented: false };
  const guessed: string[] = [];
  const members = objectMembers(flattened(inputSchema, inputSchema), work, (name, make) => {
    work.invented = false;
    const value = make();
    if (work.invented) guessed.push(name);
    return value;
  });
  return { args: Object.fromEntries(members), guessed };
}

/** A string argument that a probe may fill with text of its own. */
export interface StringArgument {
  readonly name: string;
  readonly format?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** The top-level string arguments that aren't confined to fixed values, in the order of the schema. */
export function stringArguments(inputSchema: unknown): readonly StringArgument[] {
  const flat = flattened(inputSchema, inputSchema);
  return [...flat.properties].flatMap(([name, schema]) => {
    const { facets } = flattened(schema, inputSchema);
    if (!typesOf(facets).includes("string") || "const" in facets || "enum" in facets) return [];
    const { format, description } = facets;
    return {
      name,
      ...(typeof format === "string" ? { format } : {}),
      ...(typeof description === "string" ? { description } : {}),
      required: flat.required.includes(name),
    };
  });
}

const MOST_VALUES = 2000;
const MOST_ITEMS = 100;
const DEEPEST = 20;

/** One sampling: where references lead, how many values it may still make, and whether any was invented. */
interface Work {
  readonly root: unknown;
  left: number;
  invented: boolean;
}

function sampled(schema: unknown, work: Work, depth: number, index: number): Json {
  work.left -= 1;
  if (depth > DEEPEST || work.left < 0) return invented(null, work);
  const flat = flattened(schema, work.root);
  const given = givenValue(flat.facets, index);
  if (given !== undefined) return given;
  const type = likelyType(flat);
  if (type === "null") return null;
  if (type === "array") return sampleItems(flat.facets, work, depth, index);
  if (type === "object") return sampleObject(flat, work, depth, index);
  if (type === "boolean") return invented(index % 2 === 1, work);
  if (type === "string") return invented(sampleText(flat.facets, index), work);
  return invented(sampleNumber(flat.facets, type === "integer", index), work);
}

function invented(value: Json, work: Work): Json {
  work.invented = true;
  return value;
}

/** The value that the schema itself names: const, default, the first example, the first of an enum. */
function givenValue(facets: Facets, index: number): Json | undefined {
  const { examples, enum: choices } = facets;
  const types = typesOf(facets);
  const fits = (value: unknown): value is Json =>
    value !== undefined && (types.length === 0 || types.some((type) => isOf(value, type)));
  if ("const" in facets) return fits(facets["const"]) ? facets["const"] : undefined;
  const allowed: readonly unknown[] | undefined = Array.isArray(choices) ? choices.filter(fits) : undefined;
  const fixed = [facets["default"], Array.isArray(examples) ? examples[0] : undefined];
  // Items that must differ can't all be the default.
  const first = index > 0 ? undefined : fixed.find((value) => fits(value) && (allowed?.includes(value) ?? true));
  const chosen = first ?? allowed?.find((value, i) => i >= index % allowed.length && value !== null) ?? allowed?.[0];
  return fits(chosen) ? chosen : undefined;
}

function isOf(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

const SIGNS: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["object", ["properties", "required", "patternProperties", "additionalProperties", "minProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The first type that isn't null; where none is named, the one that the other keywords speak of. */
function likelyType({ facets }: Flat): string {
  const types = typesOf(facets);
  const named = types.find((type) => type !== "null") ?? types[0];
  return named ?? SIGNS.find(([, keywords]) => keywords.some((keyword) => keyword in facets))?.[0] ?? "string";
}

function sampleItems(facets: Facets, work: Work, depth: number, index: number): Json {
  const { prefixItems, items, additionalItems, minItems, contains } = facets;
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const others = Array.isArray(items) ? additionalItems : items;
  const least = typeof minItems === "number" ? minItems : 0;
  const wanted = isObject(contains) ? 1 : 0;
  const count = Math.min(Math.max(least, wanted, index), MOST_ITEMS);
  if (count === 0) return invented([], work);
  return Array.from({ length: count }, (_, i) => {
    const schema = first[i] ?? (wanted > 0 && i === first.length ? { allOf: [contains, others] } : others);
    return sampled(schema, work, depth + 1, i < first.length ? 0 : i);
  });
}

function sampleObject(flat: Flat, work: Work, depth: number, index: number): Json {
  const members = objectMembers(flat, work, (_, make) => make(), depth + 1, index);
  return members.length === 0 ? invented({}, work) : Object.fromEntries(members);
}

function objectMembers(
  flat: Flat,
  work: Work,
  each: (name: string, make: () => Json) => Json,
  depth = 0,
  index = 0,
): readonly (readonly [string, Json])[] {
  return namesOf(flat).map((name) => [name, each(name, () => sampled(memberOf(flat, name), work, depth, index))]);
}

/** The required members, those that they require, and as many more as the object must have. */
function namesOf({ facets, properties, required }: Flat): readonly string[] {
  const { dependentRequired, minProperties } = facets;
  const names = new Set(required);
  for (const name of names) {
    const more = isObject(dependentRequired) ? dependentRequired[name] : undefined;
    for (const each of Array.isArray(more) ? more : []) if (typeof each === "string") names.add(each);
  }
  const least = Math.min(typeof minProperties === "number" ? minProperties : 0, MOST_ITEMS);
  for (const name of properties.keys()) if (names.size < least) names.add(name);
  for (let n = 1; names.size < least; n += 1) names.add(`example${n}`);
  return [...names];
}
