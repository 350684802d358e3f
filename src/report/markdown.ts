import type { Report } from "../model/report.ts";
import { cap } from "../text/escape.ts";
import { markdown, markdownBlock, markdownCode } from "../text/markup.ts";
import { blockageForms, failureForms } from "./_markdown-findings.ts";
import { type Forms, fitting } from "./_room.ts";
import { type Sheet, sheetOf } from "./_sheet.ts";
import { expectationLines, NOTHING_MEASURED } from "./_words.ts";
import type { ReportOptions } from "./document.ts";

export interface MarkdownOptions extends ReportOptions {
  /** Leaves the exchanges out, for places that take little text. */
  readonly brief?: boolean;
}

/**
 * The report in GitHub's Markdown, for a comment or a page. Whatever others wrote stands in code, where it is inert. It
 * is no longer than a comment on GitHub may be: the later findings lose their exchanges first, and that is said.
 */
export function toMarkdown(report: Report, options: MarkdownOptions): string {
  const sheet = sheetOf(report, options);
  const { document, failures, blockages } = sheet;
  const all = [
    ...failures.map((each) => failureForms(each, sheet)),
    ...blockages.map((each) => blockageForms(each, sheet)),
  ];
  const forms = options.brief === true ? all.map(withoutExchange) : all;
  const head = [
    `# MCP report: grade ${document.grade}, ${document.score.toFixed(1)} / 100`,
    ...(document.coverage.measured === 0 ? [`**${NOTHING_MEASURED}.**`] : []),
    overview(sheet),
    `**${sheet.totals}** (overall: ${document.overall})`,
    areas(sheet),
    ...trouble(sheet),
  ];
  const whole = lists(sheet, Number.POSITIVE_INFINITY);
  const tail = [
    ...(length(whole) > LONGEST / 3 ? lists(sheet, LONGEST_LIST) : whole),
    ...(sheet.elsewhere === "" ? [] : [`${sheet.elsewhere}.`]),
    `<sub>${markdown(`${document.environment.tool} ${document.toolVersion}, ${document.timestamp}`)}</sub>`,
  ];
  const chosen = fitting(forms, LONGEST - HEADINGS - length(head) - length(tail) - 2 * forms.length);
  const texts = forms.map((form, index) => form[chosen[index] ?? 0] ?? form[0]);
  const blocks = [
    ...head,
    ...section(`Failures (${failures.length})`, texts.slice(0, failures.length)),
    ...section(`Blocked (${blockages.flatMap(({ findings }) => findings).length})`, texts.slice(failures.length)),
    ...leftOut(forms, chosen),
    ...tail,
  ];
  return `${blocks.join("\n\n")}\n`;
}

// --- internal ---

/** What the body of an issue or of a comment may have on GitHub, in characters. */
const LONGEST = 65_536;
/** Of each list, where all of them together are long. */
const LONGEST_LIST = 4000;
/** Room for the headings of the findings, and for what says that something is left out. */
const HEADINGS = 400;

const length = (blocks: readonly string[]): number => blocks.reduce((sum, block) => sum + block.length + 2, 0);

const section = (title: string, blocks: readonly string[]): readonly string[] =>
  blocks.length === 0 ? [] : [`## ${title}`, ...blocks];

function bullets(title: string, items: readonly string[], room: number): readonly string[] {
  const lines = items.map((item) => `- ${item}`);
  let left = room;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const shown = end < 0 ? lines : [...lines.slice(0, end), `- and ${lines.length - end} more: see the JSON report`];
  return section(title, shown.length === 0 ? [] : [shown.join("\n")]);
}

const withoutExchange = ([full, brief = full, ...shorter]: Forms): Forms => [brief, ...shorter];

/** Everything that stands behind the findings, each list in at most so many characters. */
function lists({ document, errors, notes, skips }: Sheet, room: number): readonly string[] {
  const named = (id: string, text: string) => `\`${id}\`: ${markdownCode(text)}`;
  return [
    ...bullets(
      "Tester errors (not the server's fault)",
      errors.map(({ id, details }) => named(id, details)),
      room,
    ),
    ...bullets(
      "Expected failures",
      expectationLines(document).map(({ id, text }) => named(id, text)),
      room,
    ),
    ...bullets(
      "Warnings",
      document.warnings.map((each) => markdownCode(each)),
      room,
    ),
    ...bullets(
      "Notes",
      notes.map(({ id, note }) => named(id, note)),
      room,
    ),
    ...bullets(
      "Skipped checks",
      [...skips].map(
        ([because, tests]) => `${markdownCode(because)}: ${tests.map(({ id }) => `\`${id}\``).join(", ")}`,
      ),
      room,
    ),
  ];
}

/** Said where findings are shorter than they could be: how many lost their exchange, and how many all but their name. */
function leftOut(forms: readonly Forms[], chosen: readonly number[]): readonly string[] {
  const short = forms.filter((form, index) => form[chosen[index] ?? 0] !== form[0]).length;
  const bare = forms.filter((form, index) => chosen[index] === form.length - 1 && form.at(-1) !== form.at(-2)).length;
  if (short === 0) return [];
  const names = bare === 0 ? "" : `, and of ${bare} of them all but the names`;
  return [
    `The exchanges of the last ${short} findings are left out${names}, since a comment on GitHub takes ${LONGEST} characters: the JSON and HTML reports have them.`,
  ];
}

function trouble({ document }: Sheet): readonly string[] {
  if (document.trouble === undefined) return [];
  const tail = document.stderrTail === undefined ? [] : ["", cap(document.stderrTail, LONGEST_LIST)];
  return ["## The server", markdownBlock([document.trouble, ...tail].join("\n"))];
}

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
