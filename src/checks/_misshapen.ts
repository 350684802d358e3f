import { type Fault, fault } from "../model/fault.ts";

/** The row that judges the shape of every message, in the revisions that have it. */
const SHAPES = "schema-wire-valid";

/** A fault that gives a message another shape than the schema of its revision does, whatever its own row is about. */
export const misshapen: typeof fault = (name, apply, more = {}): Fault =>
  fault(name, apply, { ...more, alsoFails: [...(more.alsoFails ?? []), SHAPES] });
