import { assess } from "../grade/grade.ts";
import type { Report, Verdict } from "../model/report.ts";
import { neutral } from "../text/markup.ts";
import { blockages, failures } from "./_findings.ts";
import { header, result, trouble } from "./_overview.ts";
import { createPage, type Lines, type Page, type PageOptions } from "./_page.ts";
import { elsewhere } from "./_sheet.ts";
import { expectationLines, grouped, warningsOf } from "./_words.ts";
import type { Scene } from "./repro.ts";

export interface TerminalOptions extends PageOptions {
  /** stdio: the words of the command line; HTTP: the options of curl that reach the server as the run did. */
  readonly reach?: readonly string[];
}

/** The report for people at a terminal. Nothing that a server wrote can steer it. */
export function toTerminal(report: Report, options: TerminalOptions): string {
  const page = createPage(options);
  const { transcript, url, verdicts } = report;
  const { redact, reach } = options;
  const scene: Scene = { transcript, url, redact, ...(reach === undefined ? {} : { reach }) };
  const lines = [
    ...header(report, page),
    ...trouble(report, page),
    ...result(report, assess(verdicts), page),
    ...failures(verdicts, scene, page),
    ...blockages(verdicts, scene, page),
    ...testerErrors(verdicts, page),
    ...expectations(report, page),
    ...notes(verdicts, page),
    ...section(
      "WARNINGS",
      warningsOf(report.warnings).map((warning) => page.paragraph("  ! ", page.say(warning))),
      page,
    ),
    ...skips(verdicts, page),
    ...(elsewhere(report) === "" ? [] : ["", elsewhere(report)]),
  ];
  const text = lines.map((line) => line.trimEnd()).join("\n");
  return `${options.ci === true ? neutral(text) : text}\n`;
}

/** A title with its entries beneath it; nothing where there are none. */
const section = (title: string, entries: readonly Lines[], page: Page): Lines =>
  entries.length === 0 ? [] : ["", page.bold(title), "", ...entries.flat()];

function testerErrors(verdicts: readonly Verdict[], page: Page): Lines {
  const entries = verdicts.flatMap(({ row, outcome }) =>
    outcome.status === "error" ? [page.paragraph("  - ", `${row.id}: ${page.say(outcome.because)}`)] : [],
  );
  return section("TESTER ERRORS (not the server's fault)", entries, page);
}

function expectations({ expected }: Report, page: Page): Lines {
  if (expected === undefined) return [];
  const entries = expectationLines({ expectedFailures: expected }).map(({ id, text }) =>
    page.paragraph("  - ", `${id}: ${page.say(text)}`),
  );
  return section(`EXPECTED FAILURES (${page.say(expected.file, 200)})`, entries, page);
}

function notes(verdicts: readonly Verdict[], page: Page): Lines {
  const entries = verdicts.flatMap(({ row, outcome }) =>
    outcome.status === "pass" && outcome.note !== undefined
      ? [page.paragraph("  - ", `${row.id}: ${page.say(outcome.note)}`)]
      : [],
  );
  return section("NOTES", entries, page);
}

function skips(verdicts: readonly Verdict[], page: Page): Lines {
  const reasons = grouped(
    verdicts.filter((verdict) => verdict.outcome.status === "skipped"),
    ({ outcome }) => (outcome.status === "skipped" ? outcome.because : ""),
  );
  const entries = [...reasons].map(([because, group]) => [
    ...page.paragraph("  - ", page.say(because)),
    ...page.paragraph("      ", group.map((verdict) => verdict.row.id).join(", "), page.dim),
  ]);
  return section("SKIPPED CHECKS", entries, page);
}
