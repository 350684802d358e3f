import type { Report } from "../model/report.ts";
import { cap, oneLine, terminal } from "../text/escape.ts";
import { neutral } from "../text/markup.ts";
import { type Finding, type Sheet, sheetOf } from "./_sheet.ts";
import { expectationLines, NOTHING_MEASURED } from "./_words.ts";
import type { ReportOptions } from "./document.ts";

/**
 * Workflow commands for the log of GitHub Actions: `::error` for each required test that failed or is blocked,
 * `::warning` for each optional one and each warning of the run, `::error` for what fails the run by the expected failures,
 * `::notice` for each note and for the whole.
 */
export function toGithub(report: Report, options: ReportOptions): string {
  const sheet = sheetOf(report, options);
  const { document, failures, blockages, errors, notes, skips } = sheet;
  // A log shows the first ten errors of a step: each root cause before what else it blocks.
  const blocked = [
    ...blockages.flatMap(({ findings }) => findings.slice(0, 1)),
    ...blockages.flatMap(({ findings }) => findings.slice(1)),
  ];
  const lines = [
    ...failures.map((finding) => annotation(finding, failed(finding))),
    ...blocked.map((finding) => annotation(finding, [finding.test.details])),
    ...errors.map(({ id, details }) => command("warning", id, [details])),
    ...document.warnings.map((warning) => command("warning", "mcp-assay", [warning])),
    ...notes.map(({ id, note }) => command("notice", id, [note])),
    ...expectationLines(document).map(({ id, text, fails }) =>
      command(fails ? "error" : "notice", `expected failures: ${id}`, [text]),
    ),
    ...[...skips].map(([because, tests]) =>
      skipped(
        because,
        tests.map(({ id }) => id),
      ),
    ),
    ...(sheet.elsewhere === "" ? [] : [sheet.elsewhere]),
    command("notice", `MCP grade ${document.grade}`, summary(sheet)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

// --- internal ---

const LONGEST = 1000;

const annotation = ({ test }: Finding, lines: readonly string[]): string =>
  command(test.required ? "error" : "warning", `${test.id}: ${test.name}`, lines);

function failed({ test, disclaimer }: Finding): readonly string[] {
  const { expected = "", actual = "", note, attempts, fix = "", specRef, evidence } = test;
  const repro = evidence[0]?.repro;
  return [
    `expected ${expected}, got ${actual}`,
    ...(disclaimer === undefined ? [] : [`(${disclaimer})`]),
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...(attempts === undefined ? [] : [`attempts: ${attempts}`]),
    `fix: ${fix}`,
    `spec: ${specRef}`,
    ...(repro === undefined || repro.length > LONGEST ? [] : [`repeat: ${repro}`]),
  ];
}

const skipped = (because: string, ids: readonly string[]): string =>
  // Not at the start of a line, where the log could take it for a command.
  `Skipped: ${neutral(oneLine(because, LONGEST))}: ${ids.join(", ")}`;

function summary({ document, server, totals, revisionNote }: Sheet): readonly string[] {
  const { grade, score, overall, specVersion, url, environment, partial, trouble, coverage } = document;
  return [
    `Grade ${grade}, ${score.toFixed(1)} / 100, overall ${overall}; MCP ${specVersion}`,
    ...(revisionNote === undefined ? [] : [revisionNote]),
    totals,
    ...(coverage.measured === 0 ? [NOTHING_MEASURED] : []),
    `${url} (${environment.transport}), server ${server}`,
    ...(partial === undefined ? [] : [`Partial: ${partial}`]),
    ...(trouble === undefined ? [] : [trouble]),
  ];
}

/** A workflow command; each of the lines is made inert before they are put together. */
const command = (name: "error" | "warning" | "notice", title: string, lines: readonly string[]): string =>
  `::${name} title=${property(title)}::${data(lines)}`;

const data = (lines: readonly string[]): string =>
  encoded(lines.map((line) => cap(terminal(line), LONGEST)).join("\n"));

const property = (text: string): string => encoded(oneLine(text, 200)).replaceAll(":", "%3A").replaceAll(",", "%2C");

// The runner decodes these three; a mark of another system's commands is shown as an escape.
const encoded = (text: string): string =>
  neutral(text.replaceAll("%", "%25")).replaceAll("\r", "%0D").replaceAll("\n", "%0A");
