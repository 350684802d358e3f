import { Ajv, MissingRefError, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import { isObject, kindOf } from "../model/json.ts";
import { type Bounded, bounded, type Complain } from "./bounded.ts";
import { standard } from "./keywords.ts";
import { type Extent, extent, Unjudged } from "./limits.ts";

/** What became of a schema in the dialect it names. Nothing outside the schema is ever read for it. */
export type Compiled =
  | {
      readonly ok: true;
      readonly dialect: string;
      /** The first complaint, as a JSON pointer and a few words. Undefined also where the value can't be judged. */
      validate(value: unknown): string | undefined;
    }
  /** It breaks its dialect's meta-schema, or refers to a part of itself that is not there. */
  | { readonly ok: false; readonly reason: string }
  /** It can't be judged, which is no fault of the schema: a dialect we lack, a `$ref` to elsewhere, too large. */
  | { readonly ok: "unknown-dialect"; readonly dialect: string; readonly reason: string };

export function compile(schema: unknown): Compiled {
  if (!isObject(schema) && typeof schema !== "boolean")
    return { ok: false, reason: `the schema is ${kindOf(schema)}, not an object or a boolean` };
  const uri = isObject(schema) && Object.hasOwn(schema, "$schema") ? schema["$schema"] : DEFAULT;
  if (typeof uri !== "string") return { ok: false, reason: `/$schema is ${kindOf(uri)}, not a URI` };
  const dialect = DIALECTS.find((each) => each.uri.test(uri));
  if (dialect === undefined) return unjudged(uri, "names a dialect that is not known here");
  const measured = extent(schema, MOST);
  if (measured.size > MOST.size) return unjudged(dialect.name, `is larger than ${MOST.size} characters`);
  if (measured.depth > MOST.depth) return unjudged(dialect.name, `is nested more than ${MOST.depth} deep`);
  try {
    const copy = standard(isObject(schema) ? { ...schema, $schema: dialect.id } : schema, dialect.early);
    const breach = dialect.judge().meta(copy);
    if (breach !== undefined) return { ok: false, reason: breach };
    const complain = bounded(dialect.make, { meta: false, validateSchema: false }).compile(copy);
    return { ok: true, dialect: dialect.name, validate: (value) => judged(complain, value, measured) };
  } catch (error) {
    return explained(error, schema, dialect.name);
  }
}

const DEFAULT = "https://json-schema.org/draft/2020-12/schema";
const MOST = { size: 256 * 1024, depth: 100 };
/** Work is counted in nodes of the value times characters of the schema. */
const MOST_WORK = 2e9;
/** Nodes of a value whose items may have to be compared, each with each. */
const MOST_COMPARED = 10_000;

interface Dialect {
  readonly name: string;
  readonly id: string;
  /** How the URI may be written. */
  readonly uri: RegExp;
  /** Whether it is older than 2019-09. */
  readonly early: boolean;
  readonly make: (options: Options) => Ajv;
  /** Building the meta-schema is slow: once, and only where it is needed. */
  judge(): Bounded;
}

function known(name: string, id: string, make: Dialect["make"]): Dialect {
  const rest = id
    .replace(/^https?:/, "")
    .replace("#", "")
    .replaceAll(".", "\\.");
  let judge: Bounded | undefined;
  return {
    name,
    id,
    uri: new RegExp(`^https?:${rest}#?$`),
    early: rest.includes("/draft-"),
    make,
    judge() {
      judge ??= bounded(make, { meta: true });
      return judge;
    },
  };
}

const draft07 = (options: Options): Ajv => new Ajv({ ...options, ignoreKeywordsWithRef: true });

const DIALECTS: readonly Dialect[] = [
  known("2020-12", DEFAULT, (options) => new Ajv2020(options)),
  known("2019-09", "https://json-schema.org/draft/2019-09/schema", (options) => new Ajv2019(options)),
  known("draft-07", "http://json-schema.org/draft-07/schema#", draft07),
  known("draft-06", "http://json-schema.org/draft-06/schema#", (options) =>
    options.meta === false ? draft07(options) : draft07(options).addMetaSchema(draft06, undefined, false),
  ),
];

const unjudged = (dialect: string, reason: string): Compiled => ({ ok: "unknown-dialect", dialect, reason });

function judged(complain: Complain, value: unknown, schema: Extent): string | undefined {
  const most = schema.unique ? MOST_COMPARED : MOST_WORK / schema.size;
  if (extent(value, { size: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }).nodes > most) return undefined;
  try {
    return complain(value);
  } catch (error) {
    // A stack overflow, too, says nothing of the value.
    if (error instanceof Unjudged || error instanceof RangeError) return undefined;
    throw error;
  }
}

function explained(error: unknown, schema: unknown, dialect: string): Compiled {
  if (error instanceof MissingRefError) {
    const here = isObject(schema) && typeof schema["$id"] === "string" ? schema["$id"].replace(/#.*/, "") : "";
    const local = error.missingSchema === "" || error.missingSchema === here;
    if (local) return { ok: false, reason: `refers to ${error.missingRef}, which is not there` };
    return unjudged(dialect, `refers to ${error.missingRef}, which is not followed`);
  }
  if (error instanceof Unjudged) return unjudged(dialect, error.message);
  if (error instanceof Error && /resolves to more than one schema/.test(error.message))
    return { ok: false, reason: error.message };
  return unjudged(dialect, `cannot be compiled here: ${error instanceof Error ? error.message : String(error)}`);
}
