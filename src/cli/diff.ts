import { compareReports, type Diff } from "../report/diff.ts";
import { diffToJson } from "../report/diff-json.ts";
import { diffToMarkdown } from "../report/diff-markdown.ts";
import { DiffError, readReport } from "../report/diff-read.ts";
import { diffToTerminal } from "../report/diff-terminal.ts";
import { oneLine } from "../text/escape.ts";
import { createRedactor } from "../text/redact.ts";
import { EXIT } from "./exit.ts";
import { readText } from "./read-text.ts";
import type { Split } from "./split.ts";
import { print, screenOf } from "./terminal.ts";
import { UsageError } from "./usage.ts";
import { choice } from "./values.ts";
import type { Verb } from "./verb.ts";

const FORMATS = ["terminal", "json", "markdown"] as const;

export const diff: Verb = {
  name: "diff",
  about: "compare two JSON reports: exit with 1 if a check that passed or was skipped now fails",
  target: "<A.json> <B.json>",
  operands: "plain",
  options: [
    {
      name: "format",
      value: "<format>",
      words: FORMATS,
      about: "the comparison in this form on stdout",
      otherwise: "terminal",
    },
    { name: "no-color", about: "no colours (so does NO_COLOR)" },
  ],
  examples: [
    "mcp-assay diff baseline.json current.json",
    "mcp-assay diff baseline.json current.json --format markdown",
    "mcp-assay test https://example.com/mcp --spec-version 2026-07-28 --format json | mcp-assay diff baseline.json -",
  ],
  notes: [
    "A is the earlier report and B the later one; - is standard input. Both are of one revision: pin --spec-version on both runs.",
    "Exit codes: 0 nothing newly fails; 1 something does; 2 the two can't be compared.",
  ],
  async run(split) {
    const format = choice(split, "format", FORMATS) ?? "terminal";
    const found = await compared(split.words);
    await print(rendered(found, format, split));
    return found.newlyFailing.length > 0 ? EXIT.findings : EXIT.fine;
  },
};

// --- internal ---

/** Bytes; a report with every row failed stays below two million. */
const LARGEST = 16 * 1024 * 1024;

async function compared(words: readonly string[]): Promise<Diff> {
  const [a, b, ...more] = words;
  const option = words.find((word) => /^-./.test(word));
  if (option !== undefined) throw new UsageError(`Unknown option ${option}: see mcp-assay diff --help.`);
  if (a === undefined || b === undefined || more.length > 0) {
    throw new UsageError(
      `diff compares two reports, and ${words.length} ${words.length === 1 ? "file is" : "files are"} given: mcp-assay diff A.json B.json.`,
    );
  }
  if (a === "-" && b === "-") throw new UsageError("Only one of the two reports can come from standard input.");
  try {
    return compareReports(readReport(await textOf(a), nameOf(a)), readReport(await textOf(b), nameOf(b)));
  } catch (error) {
    // The words of a report may be a server's.
    if (error instanceof DiffError) throw new UsageError(oneLine(createRedactor([])(error.message), 600));
    throw error;
  }
}

const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

async function textOf(file: string): Promise<string> {
  if (file !== "-") return readText(file, "The report", process.cwd());
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    size += part.length;
    if (size > LARGEST)
      throw new UsageError(`${nameOf(file)} has more than ${LARGEST} bytes: a report never has as many.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function rendered(found: Diff, format: (typeof FORMATS)[number], split: Split): string {
  const redact = createRedactor([]);
  if (format === "json") return diffToJson(found, redact);
  if (format === "markdown") return diffToMarkdown(found, redact);
  return diffToTerminal(found, { ...screenOf(process.stdout, split.switches.has("no-color")), redact });
}
