import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { REVISIONS, type RevisionId } from "../model/catalog.ts";
import type { Accepted } from "../model/report.ts";
import { revisions } from "../revisions/index.ts";
import { oneLine } from "../text/escape.ts";
import { parseJsonc } from "../text/jsonc.ts";
import { EXIT } from "./exit.ts";
import { isDay, readExpectations } from "./expectations.ts";
import { place } from "./place.ts";
import { parsed, readText } from "./read-text.ts";
import { print, printError } from "./terminal.ts";
import { UsageError } from "./usage.ts";
import { last, type Verb } from "./verb.ts";

export const expectVerb: Verb = {
  name: "expect",
  about: "write down the failures of a report as expected, for test --expected-failures",
  target: "<report.json…>",
  operands: "plain",
  options: [
    {
      name: "output",
      value: "<file>",
      words: "file",
      about: "write this file; reasons and days that it has already are kept, and what passes now is left out",
      otherwise: "stdout",
    },
    { name: "reason", value: "<text>", about: "why they are accepted", otherwise: "what each failure says" },
    { name: "expires", value: "<day>", about: "the last day on which they are, as YYYY-MM-DD", otherwise: "none" },
  ],
  examples: [
    "mcp-assay test --format json=report.json -- node server.js",
    'mcp-assay expect report.json --reason "before the rewrite" --expires 2027-01-31 --output expected.json',
    "mcp-assay test --expected-failures expected.json -- node server.js",
  ],
  notes: ["Give one report of each revision to have both in the file."],
  async run(split) {
    if (split.words.length === 0) {
      throw new UsageError("No report: give one that test --format json=FILE has written (mcp-assay expect FILE).");
    }
    const cwd = process.cwd();
    const output = last(split, "output");
    const expires = dayOf(last(split, "expires"));
    const reason = last(split, "reason");
    const known = output !== undefined && existsSync(output) ? readExpectations(output, cwd, "--output").entries : {};
    const entries = new Map<RevisionId, readonly Accepted[]>(
      REVISIONS.flatMap((revision) => {
        const had = known[revision];
        return had === undefined ? [] : [[revision, had] as const];
      }),
    );
    for (const path of split.words) {
      const { specVersion, failed, silent } = failuresOf(path, cwd);
      const had = known[specVersion] ?? [];
      entries.set(specVersion, [
        // What this report says nothing about stays as it was.
        ...had.filter(({ id }) => silent(id)),
        ...failed.map(
          ({ id, details }): Accepted =>
            had.find((each) => each.id === id && reason === undefined && expires === undefined) ?? {
              id,
              reason: reason ?? details,
              ...(expires === undefined ? {} : { expires }),
            },
        ),
      ]);
    }
    const text = written(entries);
    if (output === undefined) await print(text);
    else {
      await place(resolve(cwd, output), text);
      const count = [...entries.values()].flat().length;
      await printError(`${output}: ${count} ${count === 1 ? "failure is" : "failures are"} expected`);
    }
    return EXIT.fine;
  },
};

// --- internal ---

/** Of a report of version 1, and of the older tool's, what matters here. */
const ReportSchema = v.looseObject({
  schemaVersion: v.literal("1"),
  specVersion: v.picklist(REVISIONS),
  tests: v.array(
    v.looseObject({
      id: v.string(),
      passed: v.boolean(),
      skipped: v.optional(v.boolean()),
      details: v.optional(v.string(), ""),
    }),
  ),
});

function failuresOf(path: string, cwd: string) {
  const document = parsed(parseJsonc, readText(path, "The report", cwd), path);
  const result = v.safeParse(ReportSchema, document);
  if (!result.success) {
    const where = v.getDotPath(result.issues[0]) ?? "it";
    throw new UsageError(
      `${path} is no report of test --format json (schemaVersion "1"): ${where} is not as it should be.`,
    );
  }
  const { specVersion, tests } = result.output;
  const ids = new Set(revisions[specVersion].catalog.map((row) => row.id));
  const failed = tests.filter((test) => !test.passed && test.skipped !== true && ids.has(test.id));
  const measured = new Set(tests.filter((test) => test.skipped !== true).map(({ id }) => id));
  return {
    specVersion,
    failed: failed.map(({ id, details }) => ({ id, details: oneLine(details, 300) || "accepted for now" })),
    silent: (id: string) => !measured.has(id),
  };
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (isDay(text)) return text;
  throw new UsageError(`--expires ${JSON.stringify(text)} is no day: write it as YYYY-MM-DD.`);
}

const written = (entries: ReadonlyMap<RevisionId, readonly Accepted[]>): string =>
  `${JSON.stringify(
    Object.fromEntries(
      REVISIONS.flatMap((revision) => {
        const accepted = entries.get(revision);
        if (accepted === undefined) return [];
        const order = revisions[revision].catalog.map((row) => row.id);
        const sorted = accepted.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
        return [[revision, Object.fromEntries(sorted.map(({ id, ...entry }) => [id, entry]))]];
      }),
    ),
    undefined,
    2,
  )}\n`;
