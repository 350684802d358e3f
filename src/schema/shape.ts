import { isObject, kindOf } from "../model/json.ts";
import { isBase64, isUri, isUriTemplate } from "./forms.ts";

/** What is wrong at one place of a message. */
export interface Complaint {
  /** JSON pointer. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** The form of a JSON value: its first complaint. `undefined` is a member that is not there. */
export type Shape = (value: unknown, path: string) => Complaint | undefined;
export type Members = Readonly<Record<string, Shape>>;

export const any: Shape = () => undefined;
export const bool = kind("a boolean", (value) => typeof value === "boolean", kindOf);
export const num = kind("a number", Number.isFinite);
export const int = kind("an integer", Number.isInteger);
export const natural = kind("an integer of at least 0", (value) => Number.isInteger(value) && Number(value) >= 0);
export const id = kind("a string or an integer", isId);
export const idOrNull = kind("a string or an integer", (value) => value === null || isId(value));
export const str = text("a string", () => true);
export const base64 = text("base64 text", isBase64);
export const uri = text("a URI", isUri);
export const uriTemplate = text("a URI template", isUriTemplate);
export const intOrNull = kind("an integer or null", (value) => value === null || Number.isInteger(value));
export const unit = kind("a number from 0 to 1", (value) => typeof value === "number" && value >= 0 && value <= 1);

/** One of these texts. */
export function enumOf(...words: readonly string[]): Shape {
  const expected = words.length === 1 ? quoted(words[0]) : `one of ${words.map(quoted).join(", ")}`;
  return (value, path) =>
    typeof value === "string" && words.includes(value) ? undefined : { path, expected, actual: told(value) };
}

/** An object with these members, those that it may have, and any others. */
export function obj(required: Members, optional: Members = {}): Shape {
  const needed = Object.entries(required);
  const allowed = Object.entries(optional);
  return (value, path) => {
    if (!isObject(value)) return { path, expected: "an object", actual: kindOf(value) };
    for (const [name, shape] of needed) {
      const found = shape(own(value, name), `${path}/${escaped(name)}`);
      if (found !== undefined) return found;
      if (!Object.hasOwn(value, name))
        return { path: `${path}/${escaped(name)}`, expected: "a value", actual: "nothing" };
    }
    for (const [name, shape] of allowed) {
      const found = Object.hasOwn(value, name) ? shape(value[name], `${path}/${escaped(name)}`) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** An object all of whose members have one shape. */
export function dict(member: Shape): Shape {
  return (value, path) => {
    if (!isObject(value)) return { path, expected: "an object", actual: kindOf(value) };
    return first(Object.entries(value), ([name, each]) => member(each, `${path}/${escaped(name)}`));
  };
}

export function arr(item: Shape, most = Number.POSITIVE_INFINITY): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, expected: "an array", actual: kindOf(value) };
    if (value.length > most) return { path, expected: `at most ${most} items`, actual: `${value.length} items` };
    return first([...value.entries()], ([index, each]) => item(each, `${path}/${index}`));
  };
}

/** The shape whose name stands in the member `tag`. */
export function oneOf(tag: string, shapes: Members): Shape {
  const known = enumOf(...Object.keys(shapes));
  return (value, path) => {
    if (!isObject(value)) return { path, expected: "an object", actual: kindOf(value) };
    const name = own(value, tag);
    const shape = typeof name === "string" ? own(shapes, name) : undefined;
    return shape === undefined ? known(name, `${path}/${tag}`) : shape(value, path);
  };
}

/** The shape that is picked by looking at the value. */
export const by =
  (pick: (value: unknown) => Shape): Shape =>
  (value, path) =>
    pick(value)(value, path);

/** All of these shapes at once. */
export const both =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) =>
    first(shapes, (shape) => shape(value, path));

/** Any of these shapes; the last one complains. */
export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) => {
    const found = shapes.map((shape) => shape(value, path));
    return found.includes(undefined) ? undefined : found.at(-1);
  };

/** This shape, or no value. */
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined ? undefined : shape(value, path);

/** Whether the value is an object with this member. */
export const has = (value: unknown, name: string): boolean => isObject(value) && Object.hasOwn(value, name);

function isId(value: unknown): boolean {
  return typeof value === "string" || Number.isInteger(value);
}

function kind(expected: string, fits: (value: unknown) => boolean, actual = numberOrKind): Shape {
  return (value, path) => (fits(value) ? undefined : { path, expected, actual: actual(value) });
}

function numberOrKind(value: unknown): string {
  return typeof value === "number" ? String(value) : kindOf(value);
}

function text(expected: string, fits: (text: string) => boolean): Shape {
  return (value, path) => {
    if (typeof value !== "string") return { path, expected, actual: kindOf(value) };
    return fits(value) ? undefined : { path, expected, actual: told(value) };
  };
}

function first<T>(items: readonly T[], complain: (item: T) => Complaint | undefined): Complaint | undefined {
  for (const item of items) {
    const found = complain(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const own = <T>(value: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
const quoted = (value: unknown): string => JSON.stringify(value);

/** A short value as it stands, else its kind. */
function told(value: unknown): string {
  if (typeof value === "string") return quoted(value.length > 60 ? `${value.slice(0, 59)}…` : value);
  return numberOrKind(value);
}
