import type { Operands, Option, Split } from "./split.ts";
import { UsageError } from "./usage.ts";

/** One verb of the command line. */
export interface Verb {
  readonly name: string;
  readonly about: string;
  /** What stands after the verb in help: `<url | command…>`. */
  readonly target?: string;
  /** Default: a command, whose options are its own. */
  readonly operands?: Operands;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  /** What help says besides, a paragraph each. */
  readonly notes?: readonly string[];
  /** Does it and returns the exit code. */
  run(split: Split): Promise<number>;
}

/** The value that an option of one value was given last. Throws UsageError for none: "$TOKEN" may not have been set. */
export function last({ values }: Split, name: string): string | undefined {
  const value = values.get(name)?.at(-1);
  if (value === "") {
    throw new UsageError(`--${name} is given no value: leave it out, or see that the variable it comes from is set.`);
  }
  return value;
}

export const list = ({ values }: Split, name: string): readonly string[] =>
  (values.get(name) ?? [])
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
