import type { Report } from "../model/report.ts";
import { cap } from "../text/escape.ts";
import { markdown, markdownBlock, markdownCode } from "../text/markup.ts";
import { type Finding, type Sheet, sheetOf } from "./_sheet.ts";
import { expectationLines, NOTHING_MEASURED } from "./_words.ts";
import type { ReportOptions } from "./document.ts";

export interface MarkdownOptions extends ReportOptions {
  /** Leaves the exchanges out, for places that take little text. */
  readonly brief?: boolean;
}

/** The report in GitHub's Markdown, for a comment or a page. Whatever others wrote stands in code, where it is inert. */
export function toMarkdown(report: Report, options: MarkdownOptions): string {
  const sheet = sheetOf(report, options);
  const finding = (each: Finding) => failure(each, sheet, options.brief === true);
  const { document, failures, blockages, errors, notes, skips } = sheet;
  const blocks = [
    `# MCP report: grade ${document.grade}, ${document.score.toFixed(1)} / 100`,
    ...(document.coverage.measured === 0 ? [`**${NOTHING_MEASURED}.**`] : []),
    overview(sheet),
    `**${sheet.totals}** (overall: ${document.overall})`,
    areas(sheet),
    ...(document.trouble === undefined
      ? []
      : [
          "## The server",
          markdownBlock(
            [document.trouble, ...(document.stderrTail === undefined ? [] : ["", document.stderrTail])].join("\n"),
          ),
        ]),
    ...section(`Failures (${failures.length})`, failures.flatMap(finding)),
    ...section(
      `Blocked (${blockages.flatMap(({ findings }) => findings).length})`,
      blockages.flatMap(({ because, by, findings }) => [
        `### ⊘ ${markdownCode(because)}${by === undefined ? "" : ` (${markdownCode(by)})`}`,
        `Cannot be evaluated: ${findings.map(({ test }) => `\`${test.id}\`${tag(test.required)}`).join(", ")}`,
        ...evidence(findings[0], sheet, options.brief === true),
      ]),
    ),
    ...bullets(
      "Tester errors (not the server's fault)",
      errors.map(({ id, details }) => `\`${id}\`: ${markdownCode(details)}`),
    ),
    ...bullets(
      "Expected failures",
      expectationLines(document).map(({ id, text }) => `\`${id}\`: ${markdownCode(text)}`),
    ),
    ...bullets(
      "Warnings",
      document.warnings.map((each) => markdownCode(each)),
    ),
    ...bullets(
      "Notes",
      notes.map(({ id, note }) => `\`${id}\`: ${markdownCode(note)}`),
    ),
    ...bullets(
      "Skipped checks",
      [...skips].map(
        ([because, tests]) => `${markdownCode(because)}: ${tests.map(({ id }) => `\`${id}\``).join(", ")}`,
      ),
    ),
    ...(sheet.elsewhere === "" ? [] : [`${sheet.elsewhere}.`]),
    `<sub>${markdown(`${document.environment.tool} ${document.toolVersion}, ${document.timestamp}`)}</sub>`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

// --- internal ---

const LONGEST_TEXT = 600;
const LONGEST_LINE = 1500;

const tag = (required: boolean): string => (required ? " **required**" : "");

const section = (title: string, blocks: readonly string[]): readonly string[] =>
  blocks.length === 0 ? [] : [`## ${title}`, ...blocks];

const bullets = (title: string, items: readonly string[]): readonly string[] =>
  section(title, items.length === 0 ? [] : [items.map((item) => `- ${item}`).join("\n")]);

function overview({ document, server, revisionNote }: Sheet): string {
  const { protocolVersion } = document.serverInfo;
  const code = (text: string) => markdownCode(text, "table");
  const rows: readonly (readonly [string, string])[] = [
    ["Target", code(document.url)],
    ["Server", `${code(server)}${protocolVersion === null ? "" : ` (speaks ${code(protocolVersion)})`}`],
    ["Revision", `${document.specVersion}${revisionNote === undefined ? "" : ` (${code(revisionNote)})`}`],
    ["Transport", document.environment.transport],
    ...(document.partial === undefined ? [] : [["Partial", code(document.partial)] as const]),
  ];
  return ["| | |", "| --- | --- |", ...rows.map(([label, value]) => `| ${label} | ${value} |`)].join("\n");
}

function areas({ document: { categories } }: Sheet): string {
  const rows = Object.entries(categories).map(([area, { passed, total, skipped }]) => {
    const measured = total - skipped;
    return `| ${area} | ${measured === 0 ? "nothing measured" : `${passed - skipped} of ${measured}`} | ${skipped} |`;
  });
  return ["| area | passed | skipped |", "| --- | ---: | ---: |", ...rows].join("\n");
}

function failure(finding: Finding, sheet: Sheet, brief: boolean): readonly string[] {
  const { test, disclaimer } = finding;
  const fields = [
    ...(disclaimer === undefined ? [] : [`- (${disclaimer})`]),
    `- **expected** ${markdownCode(cap(test.expected ?? "", LONGEST_TEXT))}`,
    `- **actual** ${markdownCode(cap(test.actual ?? "", LONGEST_TEXT))}`,
    ...(test.note === undefined ? [] : [`- **note** ${markdownCode(cap(test.note, LONGEST_TEXT))}`]),
    ...(test.attempts === undefined ? [] : [`- **attempts** ${test.attempts}`]),
    `- **fix** ${markdown(test.fix ?? "")}`,
    `- **spec** <${test.specRef}>`,
  ];
  return [
    `### ✗ \`${test.id}\`: ${markdown(test.name)}${tag(test.required)}`,
    fields.join("\n"),
    ...evidence(finding, sheet, brief),
  ];
}

/** The deciding exchange, folded. */
function evidence({ test }: Finding, sheet: Sheet, brief: boolean): readonly string[] {
  const [shown, ...others] = test.evidence;
  if (shown === undefined || brief) return [];
  const { exchange, httpStatus, sent, repro } = shown;
  const status = httpStatus === undefined ? "" : `, HTTP ${httpStatus}`;
  const also = others.length === 0 ? "" : ` (see also ${others.map((each) => each.exchange).join(", ")})`;
  return [
    `<details><summary>Exchange ${exchange}${status}${also}</summary>`,
    ...["Sent:", markdownBlock(cap(sent, LONGEST_TEXT))],
    ...["Received:", markdownBlock(cap(sheet.answer(shown), LONGEST_TEXT))],
    ...(repro === undefined
      ? []
      : ["Repeat it:", repro.length > LONGEST_LINE ? "(see the JSON report)" : markdownBlock(repro, "sh")]),
    "</details>",
  ];
}
