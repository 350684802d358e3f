import type { Operands, Option, Split } from "./split.ts";

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

export const last = ({ values }: Split, name: string): string | undefined => values.get(name)?.at(-1);
export const list = ({ values }: Split, name: string): readonly string[] =>
  (values.get(name) ?? [])
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
