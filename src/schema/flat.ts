import { isObject } from "../model/json.ts";
import { pattern } from "./pattern.ts";

/** The keywords of a schema. */
export type Facets = Readonly<Record<string, unknown>>;

/** A schema with its local references, its allOf and the first branch of its anyOf and oneOf drawn into one. */
export interface Flat {
  readonly facets: Facets;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
}

/** Ends soon and never throws, whatever the schema: references lead inside `root` only, each is followed once. */
export function flattened(schema: unknown, root: unknown): Flat {
  const gathering: Gathering = { root, facets: {}, properties: new Map(), required: new Set(), seen: new Set() };
  gather(schema, gathering);
  return { facets: gathering.facets, properties: gathering.properties, required: [...gathering.required] };
}

/** The types that a schema names. */
export function typesOf(facets: Facets): readonly string[] {
  return texts(typeof facets["type"] === "string" ? [facets["type"]] : facets["type"]);
}

/** What an object's schema says of one of its members. */
export function memberOf(flat: Flat, name: string): unknown {
  const own = flat.properties.get(name);
  if (own !== undefined) return own;
  const { patternProperties, additionalProperties } = flat.facets;
  const named = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  return named.find(([source]) => matches(source, name))?.[1] ?? additionalProperties;
}

/** Whether a text matches a pattern; false where that can't be told. */
export function matches(source: string, text: string): boolean {
  try {
    return pattern(source).test(text);
  } catch {
    return false;
  }
}

const MOST_PARTS = 200;

interface Gathering {
  readonly root: unknown;
  facets: Record<string, unknown>;
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
  /** Schemas that were drawn in, so that none is twice. */
  readonly seen: Set<unknown>;
}

function gather(schema: unknown, into: Gathering): void {
  if (!isObject(schema) || into.seen.has(schema) || into.seen.size >= MOST_PARTS) return;
  into.seen.add(schema);
  for (const [key, value] of Object.entries(schema)) into.facets[key] = merged(key, into.facets[key], value);
  for (const [name, property] of entries(schema["properties"])) {
    const before = into.properties.get(name);
    into.properties.set(name, before === undefined ? property : { allOf: [before, property] });
  }
  for (const name of texts(schema["required"])) into.required.add(name);
  if (typeof schema["$ref"] === "string") gather(target(into.root, schema["$ref"]), into);
  for (const part of list(schema["allOf"])) gather(part, into);
  for (const choice of [schema["anyOf"], schema["oneOf"]]) {
    const branches = list(choice);
    gather(branches.find((branch) => !isNull(branch, into.root)) ?? branches[0], into);
  }
}

function isNull(branch: unknown, root: unknown): boolean {
  const here = isObject(branch) && typeof branch["$ref"] === "string" ? target(root, branch["$ref"]) : branch;
  return isObject(here) && (here["type"] === "null" || here["const"] === null);
}

/** The narrower of two values of one keyword. */
function merged(key: string, before: unknown, value: unknown): unknown {
  if (before === undefined) return value;
  if (typeof before === "number" && typeof value === "number") {
    if (/^(min|exclusiveMin)/.test(key)) return Math.max(before, value);
    if (/^(max|exclusiveMax)/.test(key)) return Math.min(before, value);
  }
  if (key === "enum") return list(before).filter((item) => list(value).includes(item));
  if (key !== "type") return before;
  const both = typesOf({ type: before }).flatMap((type) => {
    const types = typesOf({ type: value });
    if (types.includes(type)) return [type];
    return type === "number" && types.includes("integer") ? ["integer"] : [];
  });
  return both.length > 0 ? both : before;
}

/** What a reference into the same document points at; undefined for any other. */
function target(root: unknown, ref: string): unknown {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  let here = root;
  for (const step of ref.split("/").slice(1)) {
    const key = unescaped(step);
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return undefined;
  }
  return here;
}

function unescaped(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const entries = (value: unknown): readonly [string, unknown][] => (isObject(value) ? Object.entries(value) : []);
const texts = (value: unknown): readonly string[] => list(value).filter((item) => typeof item === "string");
