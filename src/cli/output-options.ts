import { resolve } from "node:path";
import { FORMATS, type Format } from "../report/format-names.ts";
import type { Option, Split } from "./split.ts";
import { nearest, UsageError } from "./usage.ts";
import { last } from "./verb.ts";

export const OUTPUT = "Output";

/** The options of `test` that say which documents a run leaves, and where. */
export const outputOptions: readonly Option[] = [
  {
    name: "format",
    value: "<format[=file]>",
    many: true,
    group: OUTPUT,
    field: "format",
    words: FORMATS,
    about: "the report in this form on stdout, in place of the terminal's; with =file it goes to the file",
    otherwise: "terminal",
  },
  {
    name: "output",
    value: "<file>",
    group: OUTPUT,
    field: "output",
    words: "file",
    about: "write a badge with the grade, an SVG",
  },
  {
    name: "transcript",
    value: "<file>",
    group: OUTPUT,
    words: "file",
    about: "write everything that was sent and received, as JSON lines without secrets",
  },
];

/** The documents of a run. */
export interface Outputs {
  /** The one document on stdout. */
  readonly stdout: Format;
  readonly files: readonly { readonly format: Format; readonly path: string }[];
  readonly badge?: string;
  readonly transcript?: string;
}

export function outputsOf(
  split: Split,
  file: { readonly format?: Format | undefined; readonly output?: string | undefined } = {},
): Outputs {
  const given = (split.values.get("format") ?? []).map(formatOf);
  const printed = given.filter(({ path }) => path === undefined).map(({ format }) => format);
  const [stdout, other] = printed;
  if (stdout !== undefined && other !== undefined) {
    throw new UsageError(
      `--format ${stdout} and --format ${other} both go to stdout, which has room for one: give the other a file, as --format ${other}=FILE.`,
    );
  }
  const files = given.flatMap(({ format, path }) => (path === undefined ? [] : [{ format, path }]));
  const badge = last(split, "output") ?? file.output;
  const transcript = last(split, "transcript");
  apart([...files.map(({ path }) => path), badge, transcript]);
  return {
    stdout: stdout ?? (given.length === 0 ? file.format : undefined) ?? "terminal",
    files,
    ...(badge === undefined ? {} : { badge }),
    ...(transcript === undefined ? {} : { transcript }),
  };
}

// --- internal ---

function formatOf(value: string): { readonly format: Format; readonly path?: string } {
  const equals = value.indexOf("=");
  const name = equals < 0 ? value : value.slice(0, equals);
  const format = FORMATS.find((each) => each === name);
  if (format === undefined) {
    const meant = nearest(name, FORMATS);
    throw new UsageError(
      `--format ${JSON.stringify(name)} is none of ${FORMATS.join(", ")}${meant === undefined ? "" : `: did you mean ${meant}?`}`,
    );
  }
  if (equals < 0) return { format };
  const path = value.slice(equals + 1);
  if (path === "") throw new UsageError(`--format ${value} names no file: write it as --format ${format}=FILE.`);
  return path === "-" ? { format } : { format, path };
}

/** No two documents in one file. */
function apart(paths: readonly (string | undefined)[]): void {
  const seen = new Set<string>();
  for (const path of paths) {
    if (path === undefined) continue;
    const place = resolve(path);
    if (seen.has(place)) throw new UsageError(`Two documents would go to ${path}: give each a file of its own.`);
    seen.add(place);
  }
}
