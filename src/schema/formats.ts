import { at, isObject } from "../model/json.ts";
import type { Complaint, Shape } from "./shape.ts";

/** A value's first complaint that is more than the form of a text, and the complaints that are no more than that. */
export interface Sorted {
  readonly complaint?: Complaint;
  readonly formats: readonly Complaint[];
}

/** Judges a value by its shape, and sets aside texts that should be a URI, a URI template or base64 and are not. */
export function sorted(shape: Shape, value: unknown, path: string): Sorted {
  const formats: Complaint[] = [];
  let mended = value;
  while (formats.length < MOST) {
    const found = shape(mended, path);
    if (found === undefined) return { formats };
    const right = FORMS.get(found.expected);
    const steps = stepsOf(found.path.slice(path.length));
    if (right === undefined || typeof at(mended, ...stepsIn(mended, steps)) !== "string") {
      return { complaint: found, formats };
    }
    formats.push(found);
    mended = replaced(mended, steps, right);
  }
  return { formats };
}

// --- internal ---

const MOST = 50;

/** A text of each form, to go on with. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ["a URI", "a:b"],
  ["a URI template", "a:b"],
  ["base64 text", ""],
]);

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The steps as members and places: which is which depends on what stands there. */
function stepsIn(value: unknown, steps: readonly string[]): readonly (string | number)[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  const here = Array.isArray(value) ? Number(step) : step;
  return [here, ...stepsIn(at(value, here), rest)];
}

function replaced(value: unknown, steps: readonly string[], text: string): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return text;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => (index === Number(step) ? replaced(each, rest, text) : each));
  }
  return isObject(value) ? { ...value, [step]: replaced(value[step], rest, text) } : value;
}
