import { isObject } from "../model/json.ts";
import { arr, bool, by, dict, enumOf, has, int, type Members, num, obj, oneOf, type Shape, str, uri } from "./shape.ts";

/** What a server asks of the user. */

const described = { title: str, description: str };
const titled = arr(obj({ const: str, title: str }));

const text = obj(
  {},
  {
    ...described,
    minLength: int,
    maxLength: int,
    format: enumOf("email", "uri", "date", "date-time"),
    default: str,
  },
);
const choice = obj({ enum: arr(str) }, { ...described, enumNames: arr(str), default: str });
const titledChoice = obj({ oneOf: titled }, { ...described, default: str });

const several = { ...described, minItems: int, maxItems: int, default: arr(str) };
const choices = obj({ items: obj({ type: enumOf("string"), enum: arr(str) }) }, several);
const titledChoices = obj({ items: obj({ anyOf: titled }) }, several);

const number = obj({}, { ...described, minimum: num, maximum: num, default: num });

/** A member of a form: a text, a number, a yes or no, a choice of one or of several. */
const field = oneOf("type", {
  string: by((value) => (has(value, "enum") ? choice : has(value, "oneOf") ? titledChoice : text)),
  number,
  integer: number,
  boolean: obj({}, { ...described, default: bool }),
  array: by((value) => (isObject(value) && has(value["items"], "anyOf") ? titledChoices : choices)),
});

const form = obj({ type: enumOf("object"), properties: dict(field) }, { $schema: str, required: arr(str) });

const modes = (more: Members, visit: Members): Readonly<Record<"form" | "url", Shape>> => ({
  form: obj({ message: str, requestedSchema: form }, more),
  url: obj({ message: str, ...visit, url: uri }, more),
});

/** The params of elicitation/create: of form mode where no mode is named. `visit`: what else url mode needs. */
export function elicitation(more: Members, visit: Members = {}): Shape {
  const shapes = modes(more, visit);
  const named = oneOf("mode", shapes);
  return by((value) => (has(value, "mode") ? named : shapes.form));
}
