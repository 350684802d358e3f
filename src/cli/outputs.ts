import { accessSync, constants, existsSync, statSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Report } from "../model/report.ts";
import { toBadge } from "../report/badge.ts";
import type { ReportOptions } from "../report/document.ts";
import { formats } from "../report/formats.ts";
import { toMarkdown } from "../report/markdown.ts";
import { transcriptLines } from "../report/transcript.ts";
import type { Outputs } from "./output-options.ts";
import { print, screenOf } from "./terminal.ts";
import { UsageError } from "./usage.ts";

/** Finds what can't be written before anything is run. */
export function checkOutputs({ files, badge, transcript }: Outputs): void {
  for (const path of [...files.map((each) => each.path), badge, transcript]) {
    const why = path === undefined ? undefined : unwritable(path);
    if (why !== undefined) throw new UsageError(`${path} can't be written: ${why}.`);
  }
}

/** Writes every document, and prints the one for stdout last. Returns what could not be written; nothing else is lost for it. */
export async function writeOutputs(
  report: Report,
  { stdout, files, badge, transcript }: Outputs,
  { noColor, ...options }: ReportOptions & { readonly noColor: boolean },
): Promise<readonly string[]> {
  const summary = process.env["GITHUB_STEP_SUMMARY"] ?? "";
  const forGithub = stdout === "github" || files.some(({ format }) => format === "github");
  const problems = await Promise.all([
    ...files.map(({ format, path }) => kept(path, () => writeFile(path, formats[format](report, options)))),
    ...(badge === undefined ? [] : [kept(badge, () => writeFile(badge, toBadge(report)))]),
    ...(transcript === undefined
      ? []
      : [kept(transcript, () => writeFile(transcript, transcriptLines(report.transcript, options.redact)))]),
    ...(forGithub && summary !== ""
      ? [kept("$GITHUB_STEP_SUMMARY", () => appendFile(summary, toMarkdown(report, { ...options, brief: true })))]
      : []),
  ]);
  const printed = await print(formats[stdout](report, { ...options, page: screenOf(process.stdout, noColor) })).then(
    () => undefined,
    // The report's own exit code may matter more.
    (error: unknown) => {
      if (error instanceof UsageError) return error.message;
      throw error;
    },
  );
  return [...problems, printed].flatMap((problem) => (problem === undefined ? [] : [problem]));
}

// --- internal ---

function unwritable(path: string): string | undefined {
  const place = resolve(path);
  const folder = dirname(place);
  try {
    if (existsSync(place)) {
      if (statSync(place).isDirectory()) return "it is a folder; give the name of a file";
      accessSync(place, constants.W_OK);
    } else {
      if (!existsSync(folder)) return `there is no folder ${folder}; create it first`;
      if (!statSync(folder).isDirectory()) return `${folder} is no folder`;
      accessSync(folder, constants.W_OK);
    }
  } catch (error) {
    return words(error);
  }
  return undefined;
}

async function kept(name: string, write: () => Promise<void>): Promise<string | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    // Ours are not excused: only what the file system says is a matter of the file.
    if (!(error instanceof Error && "code" in error)) throw error;
    return `${name} can't be written: ${words(error)}.`;
  }
}

const words = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
};

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "it is not permitted",
  EROFS: "its file system is read-only",
  ENOSPC: "no space is left on the device",
  ENOENT: "its folder does not exist",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the name is too long",
};
