import type { Ajv, AnySchema, CodeOptions, ErrorObject, Options } from "ajv";
import { Unjudged } from "./limits.ts";
import { pattern } from "./pattern.ts";

/** The first complaint about a value, or undefined. Throws `Unjudged` where finding it would take too long. */
export type Complain = (value: unknown) => string | undefined;

/** One Ajv whose every answer ends soon, whatever the schema. It knows no formats and reads nothing from elsewhere. */
export interface Bounded {
  compile(schema: AnySchema): Complain;
  /** Judges a schema by the meta-schema that it names. */
  meta(schema: AnySchema): string | undefined;
}

export function bounded(make: (options: Options) => Ajv, more: Options): Bounded {
  let fuel = FUEL;
  const spend = (cost: number) => {
    fuel -= cost;
    if (fuel < 0) throw new Unjudged("refers to itself too often");
  };
  const ajv = Object.assign(make({ ...OPTIONS, ...more }), { spend });
  const limited =
    <T>(valid: (value: T) => unknown, errors: () => readonly ErrorObject[] | null | undefined) =>
    (value: T): string | undefined => {
      fuel = FUEL;
      return valid(value) === true ? undefined : complaint(errors() ?? []);
    };
  // Without this keyword Ajv lets a schema have an `id`, like any other word that says nothing.
  ajv.removeKeyword("id");
  return {
    compile(schema) {
      const valid = ajv.compile(schema);
      return limited(valid, () => valid.errors);
    },
    meta: limited(
      (schema: AnySchema) => ajv.validateSchema(schema),
      () => ajv.errors,
    ),
  };
}

/** One unit for each call of a (sub-)schema, and one for each 100 of its characters. */
const FUEL = 2_000_000;

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  logger: false,
  // Else every object has a `constructor`.
  ownProperties: true,
  // Inlining would copy a large schema to every place that refers to it.
  inlineRefs: false,
  code: {
    optimize: false,
    regExp: Object.assign((source: string) => pattern(source), { code: "new RegExp" }),
    process: fuelled,
  },
};

/** Every compiled (sub-)schema first pays for its call: references make work grow as 2 ** their number. */
function fuelled(...[code, env]: Parameters<NonNullable<CodeOptions["process"]>>): string {
  const body = code.indexOf("){", code.indexOf("return function validate")) + 2;
  if (body < 2) throw new TypeError("Ajv generates another kind of code now: see bounded.ts");
  const cost = 1 + Math.floor(JSON.stringify(env?.schema ?? true).length / 100);
  return `${code.slice(0, body)}self.spend(${cost});${code.slice(body)}`;
}

function complaint(errors: readonly ErrorObject[]): string {
  const [first, last] = [errors[0], errors.at(-1)];
  if (first === undefined || last === undefined) return "it is refused";
  return first === last ? words(last) : `${words(last)} (${words(first)})`;
}

function words({ instancePath, keyword, message = keyword, params }: ErrorObject): string {
  const detail = DETAILS.map((name) => params[name]).find((value) => value !== undefined);
  const told = detail === undefined ? "" : ` (${JSON.stringify(detail)})`;
  const text = `${instancePath === "" ? "the value" : instancePath} ${message}${told}`;
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

const DETAILS = ["additionalProperty", "allowedValue", "allowedValues", "unevaluatedProperty"];
