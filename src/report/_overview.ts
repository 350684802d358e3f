import type { Assessment, Grade } from "../grade/grade.ts";
import type { Report } from "../model/report.ts";
import { withoutUserInfo } from "../text/redact.ts";
import { type Lines, type Page, type Paint, padded } from "./_page.ts";
import { totals } from "./_words.ts";

/** Who was judged, by whom, against what. */
export function header(report: Report, page: Page): Lines {
  const { tool, server } = report;
  const name = [server.name, server.version].flatMap((each) => (each === null ? [] : [page.say(each, 80)])).join(" ");
  const speaks = server.protocolVersion === null ? "" : ` (speaks ${page.say(server.protocolVersion, 40)})`;
  const fields: readonly (readonly [string, string])[] = [
    ["Target", page.say(withoutUserInfo(report.url), 400)],
    [
      "Revision",
      report.revisionNote === undefined ? report.revision : `${report.revision} (${page.say(report.revisionNote)})`,
    ],
    ["Transport", report.transport],
    ["Server", `${name === "" ? "unknown" : name}${speaks}`],
  ];
  return [
    page.bold(`${tool.name} ${tool.version}`),
    "",
    ...fields.flatMap(([label, value]) => page.paragraph(`  ${page.dim(padded(label, 11))}`, value)),
    ...(report.partial === undefined
      ? []
      : page.paragraph(`  ${page.yellow(padded("Partial", 11))}`, page.say(report.partial), page.yellow)),
  ];
}

/** What is known of a server that made trouble, with the end of what it wrote to stderr. */
export function trouble(report: Report, page: Page): Lines {
  if (report.trouble === undefined) return [];
  const { rule } = page.mark;
  const edge = (title: string) => page.red(`  ${title}${rule.repeat(Math.max(0, page.width - 4 - title.length))}`);
  return [
    "",
    edge(`${rule}${rule} THE SERVER `),
    ...page.tail(report.trouble, 40).flatMap((line) => page.paragraph("  ", line)),
    ...page.tail(report.stderrTail ?? "", 20).flatMap((line) => page.paragraph("  | ", line)),
    edge(""),
  ];
}

/** The grade, then a bar for each area, then the totals. */
export function result(report: Report, { grade, score, overall, measured, categories }: Assessment, page: Page): Lines {
  const paint = page[COLOR[grade]];
  return [
    "",
    `  ${page.bold(paint(`Grade ${grade}  ${score.toFixed(1)} / 100`))}  (overall: ${overall})`,
    ...(measured === 0 ? [`  ${page.red("No test measured anything")}`] : []),
    "",
    ...Object.entries(categories).map(([area, { passed, total, skipped }]) =>
      bar(area, passed - skipped, total - skipped, skipped, page),
    ),
    "",
    ...page.paragraph("  ", totals(report.verdicts)),
  ];
}

const COLOR: Readonly<Record<Grade, "green" | "cyan" | "yellow" | "red">> = {
  A: "green",
  B: "cyan",
  C: "yellow",
  D: "red",
  F: "red",
};

/** Columns of the longest bar; what stands before it and after it takes 37 at most. */
const BAR = 24;

function bar(area: string, passed: number, measured: number, skipped: number, page: Page): string {
  // Never drawn full, nor empty, unless it is.
  const room = Math.max(6, Math.min(BAR, page.width - 37));
  const length = measured === 0 ? 0 : passed === measured ? room : Math.ceil((passed / measured) * (room - 1));
  const paint: Paint = passed === measured ? page.green : page.yellow;
  const drawn = `${paint(page.mark.full.repeat(length))}${page.dim(page.mark.empty.repeat(room - length))}`;
  const left = measured === 0 ? (page.narrow ? "none" : "nothing measured") : `${passed}/${measured}`;
  return `  ${padded(area, 11)}${drawn}  ${left}${skipped === 0 ? "" : page.dim(`, ${skipped} skipped`)}`;
}
