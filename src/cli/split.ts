import { parseArgs } from "node:util";
import { nearest, UsageError } from "./usage.ts";

/** An option of a verb. Without `value` it is a switch. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What it takes, as help shows it: `<ms>`. */
  readonly value?: string;
  readonly many?: boolean;
  readonly about: string;
  /** The heading it stands under in help. */
  readonly group?: string;
  /** What holds where it isn't given, in words. */
  readonly otherwise?: string;
  /** The transport that it makes a difference on; both, if none is named. */
  readonly scope?: "http" | "stdio";
  /** Its field in the config file; a switch with one can be turned off by `--no-…`. */
  readonly field?: string;
  /** The words it takes, or what completion should offer. */
  readonly words?: readonly string[] | "file" | "folder" | "ids";
}

/** What a verb's words are: a target, which may be a command with options of its own; or plain words such as files. */
export type Operands = "command" | "plain";

/** The switch that turns off what the config file turns on. */
export const negated = ({ name, value, field }: Option): string | undefined =>
  value === undefined && field !== undefined ? `no-${name}` : undefined;

/** A command line taken apart: the verb's own options, and the words of the target. */
export interface Split {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  /** The target: a URL alone, or a command and its arguments, byte for byte. */
  readonly words: readonly string[];
}

/** Whether a word is an option of the verb, which nobody means as the value of the one before it. */
const isOurs = (word: string, options: readonly Option[]): boolean =>
  options.some(({ name, short }) => word === `--${name}` || word.startsWith(`--${name}=`) || word === `-${short}`);

const isUrl = (word: string): boolean => /^https?:\/\//i.test(word);

/**
 * Splits what follows the verb. All after the first `--` belongs to the command. Before it the verb's options are ours
 * wherever they stand; after a target that is no URL, whatever else there is belongs to the command, in its order.
 */
export function split(args: readonly string[], options: readonly Option[], operands: Operands = "command"): Split {
  const stop = args.indexOf("--");
  const head = stop < 0 ? args : args.slice(0, stop);
  const tail = stop < 0 ? [] : args.slice(stop + 1);
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  const words: string[] = [];
  const known = [...options, ...options.flatMap(off)];
  const { tokens } = parseArgs({
    args: [...head],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      known.map(({ name, short, value, many }) => [
        name,
        {
          type: value === undefined ? ("boolean" as const) : ("string" as const),
          multiple: many === true,
          ...(short === undefined ? {} : { short }),
        },
      ]),
    ),
  });
  let last = -1;
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (words.length > 0 && isUrl(words[0] ?? "")) {
        throw new UsageError(
          `${JSON.stringify(token.value)} stands after the URL ${words[0]}: give one target. To test a command, leave the URL out.`,
        );
      }
      words.push(token.value);
      continue;
    }
    if (token.kind !== "option") continue;
    const raw = head[token.index] ?? token.rawName;
    const option = known.find((each) => each.name === token.name);
    if (option === undefined || token.index === last) {
      // A cluster such as -yq is one word of the command's.
      if (token.index !== last) foreign(raw, token.rawName);
      last = token.index;
      continue;
    }
    if (option.value === undefined) {
      if (token.inlineValue === true) throw new UsageError(`${token.rawName} is a switch and takes no value (${raw}).`);
      // Of --strict and --no-strict the last counts.
      switches.delete(option.name.startsWith("no-") ? option.name.slice(3) : `no-${option.name}`);
      switches.add(option.name);
    } else {
      if (token.value === undefined || (token.inlineValue === false && isOurs(token.value, known)))
        throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value}.`);
      if (!option.many && values.has(option.name)) {
        throw new UsageError(`${token.rawName} is given twice: it can have one value only.`);
      }
      values.set(option.name, [...(values.get(option.name) ?? []), token.value]);
    }
  }
  if (stop >= 0 && words.length > 0 && isUrl(words[0] ?? "") && tail.length > 0) {
    throw new UsageError(`There are both a URL (${words[0]}) and a command after --: give one target.`);
  }
  return { values, switches, words: [...words, ...tail] };

  function foreign(raw: string, name: string): void {
    if (operands === "command" && words.length > 0 && !isUrl(words[0] ?? "")) {
      words.push(raw);
      return;
    }
    const meant = nearest(
      name.replace(/^-+/, ""),
      known.map((each) => each.name),
    );
    const hint = meant === undefined ? "see --help" : `did you mean --${meant}?`;
    const where = operands === "command" ? " (An option of the server's command stands after the command.)" : "";
    throw new UsageError(`Unknown option ${name}: ${hint}${where}`);
  }
}

const off = (option: Option): readonly Option[] => {
  const name = negated(option);
  return name === undefined ? [] : [{ name, about: `without --${option.name}` }];
};

/** Splits one string into words as a POSIX shell does: quotes and backslashes, no expansion. */
export function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: "'" | '"' | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? "";
    if (quote === "'") {
      if (c === "'") quote = undefined;
      else word = (word ?? "") + c;
    } else if (c === "\\" && (quote === undefined || '"\\$`\n'.includes(text[i + 1] ?? " "))) {
      word = (word ?? "") + (text[++i] ?? "");
    } else if (quote === '"') {
      if (c === '"') quote = undefined;
      else word = (word ?? "") + c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (quote !== undefined)
    throw new UsageError(`The command ${JSON.stringify(text)} has a ${quote} that is never closed.`);
  if (word !== undefined) words.push(word);
  return words;
}
