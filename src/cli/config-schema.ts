import * as v from "valibot";
import { AREAS, REVISIONS } from "../model/catalog.ts";
import { FORMATS } from "../report/format-names.ts";
import { GRADES, SPEC_VERSIONS, testOptions } from "./test-options.ts";

// Each message is the noun phrase that a complaint closes with: "give …".
const text = v.string("a text");
const filled = v.pipe(text, v.nonEmpty("a text that is not empty"));
const ms = v.pipe(
  v.number("a whole number of milliseconds above 0"),
  v.integer("a whole number of milliseconds above 0"),
  v.minValue(1, "a whole number of milliseconds above 0"),
  v.maxValue(999_999_999, "fewer milliseconds than a billion"),
);
const count = (least: 0 | 1) => {
  const what = `a whole number from ${least} up`;
  return v.pipe(v.number(what), v.integer(what), v.minValue(least, what), v.maxValue(999_999_999, what));
};
const flag = v.boolean("true or false");
const items = v.array(filled, `a list of areas (${AREAS.join(", ")}) or check ids`);
const words = v.record(v.string(), text, "an object of names and texts");

/** The description of a field in the editor is that of its option in help. */
const about = (field: string): string => testOptions.find((option) => option.field === field)?.about ?? "";

const grade = v.pipe(
  v.picklist([...GRADES, "a", "b", "c", "d", "f"], `one of ${GRADES.join(", ")}`),
  v.transform((letter) => letter.toUpperCase() as (typeof GRADES)[number]),
  v.description(about("minGrade")),
);

/** A server behind a URL. `sse` speaks HTTP+SSE of 2024-11-05. */
const HttpTarget = v.strictObject({
  type: v.picklist(["http", "sse"]),
  url: v.pipe(filled, v.description(`http:// or https://; \${env:NAME} stands for a variable of the environment`)),
  headers: v.optional(v.pipe(words, v.description(`headers for every request; write \${env:NAME} for secrets`))),
});

/** A server that is started. */
const StdioTarget = v.strictObject({
  type: v.literal("stdio"),
  command: v.pipe(filled, v.description("the command that starts the server; no shell reads it")),
  args: v.optional(v.array(text, "a list of texts, one an argument")),
  env: v.optional(v.pipe(words, v.description(`variables for the server's process; write \${env:NAME} for secrets`))),
  cwd: v.optional(v.pipe(filled, v.description("the folder it starts in"))),
});

export const TargetSchema = v.pipe(
  v.variant("type", [HttpTarget, StdioTarget], '"http", "sse" or "stdio"'),
  v.description("the server to test; a target on the command line replaces it whole"),
);

/** What a config file may say. Unknown fields are mistakes. */
export const ConfigSchema = v.strictObject(
  {
    $schema: v.optional(text),
    target: v.optional(TargetSchema),
    timeout: v.optional(v.pipe(ms, v.description(about("timeout")))),
    startupTimeout: v.optional(v.pipe(ms, v.description(about("startupTimeout")))),
    preflightTimeout: v.optional(v.pipe(ms, v.description(about("preflightTimeout")))),
    retries: v.optional(v.pipe(count(0), v.description(about("retries")))),
    only: v.optional(v.pipe(items, v.description(about("only")))),
    skip: v.optional(v.pipe(items, v.description(about("skip")))),
    strict: v.optional(v.pipe(flag, v.description(about("strict")))),
    minGrade: v.optional(grade),
    concurrency: v.optional(v.pipe(count(1), v.description(about("concurrency")))),
    specVersion: v.optional(
      v.pipe(v.picklist(SPEC_VERSIONS, `one of auto, ${REVISIONS.join(", ")}`), v.description(about("specVersion"))),
    ),
    verbose: v.optional(v.pipe(flag, v.description(about("verbose")))),
    format: v.optional(v.pipe(v.picklist(FORMATS, `one of ${FORMATS.join(", ")}`), v.description(about("format")))),
    expectedFailures: v.optional(v.pipe(filled, v.description(about("expectedFailures")))),
    output: v.optional(v.pipe(filled, v.description(about("output")))),
  },
  "an object of settings",
);

export type Config = v.InferOutput<typeof ConfigSchema>;
export type ConfigTarget = NonNullable<Config["target"]>;
