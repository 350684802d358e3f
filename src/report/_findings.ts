import { isBacked } from "../model/catalog.ts";
import type { Verdict } from "../model/report.ts";
import { count } from "../text/count.ts";
import { ending, exchangeOf, receivedText } from "./_evidence.ts";
import { type Lines, type Page, padded } from "./_page.ts";
import { rootOf, weight } from "./_sheet.ts";
import { disclaimer, grouped } from "./_words.ts";
import { repro, type Scene } from "./repro.ts";

/** Every failed row with what was expected, what came, the way to mend it and the proof; required ones first. */
export function failures(verdicts: readonly Verdict[], scene: Scene, page: Page): Lines {
  const failed = verdicts
    .filter((verdict) => verdict.outcome.status === "fail")
    .toSorted((a, b) => weight(b) - weight(a));
  if (failed.length === 0) return [];
  return [
    "",
    page.bold(page.red(`FAILURES (${failed.length})`)),
    ...failed.flatMap((verdict) => ["", ...failure(verdict, scene, page)]),
  ];
}

/** Every root cause once, with the rows that it keeps from being judged. */
export function blockages(verdicts: readonly Verdict[], scene: Scene, page: Page): Lines {
  const groups = grouped(
    verdicts.filter((verdict) => verdict.outcome.status === "blocked"),
    rootOf,
  );
  const count = [...groups.values()].flat().length;
  if (count === 0) return [];
  return [
    "",
    page.bold(page.yellow(`BLOCKED (${count})`)),
    ...[...groups.values()].flatMap((group) => ["", ...blockage(group, scene, page)]),
  ];
}

function failure(verdict: Verdict, scene: Scene, page: Page): Lines {
  const { row, title, required, outcome, fix, attempts } = verdict;
  if (outcome.status !== "fail") return [];
  const tag = required && isBacked(row) ? " [required]" : "";
  const mark = disclaimer(verdict);
  return [
    ...page.paragraph(
      `  ${page.red(page.mark.fail)} `,
      `${row.id} ${page.mark.dash} ${page.say(title)}${tag}`,
      page.bold,
    ),
    ...(mark === undefined ? [] : page.paragraph("    ", `(${mark})`, page.yellow)),
    ...field("expected", page.say(outcome.expected), page),
    ...field("actual", page.say(outcome.actual), page),
    ...(outcome.note === undefined ? [] : field("note", page.say(outcome.note), page)),
    ...(attempts === undefined ? [] : field("attempts", String(attempts), page)),
    ...field("fix", page.say(fix), page),
    // Left whole, so that it can be followed.
    `    ${page.dim(padded("spec", 10))}${page.cyan(row.section)}`,
    ...evidence(verdict.evidence, scene, page),
  ];
}

function blockage(group: readonly Verdict[], scene: Scene, page: Page): Lines {
  const [first] = group;
  if (first?.outcome.status !== "blocked") return [];
  const { because, by } = first.outcome;
  const required = group.filter((verdict) => verdict.required).length;
  const kept = `${count(group.length, "check")}${required === 0 ? "" : `, ${required} required`}`;
  return [
    ...page.paragraph(
      `  ${page.yellow(page.mark.blocked)} `,
      `${page.say(because)}${by === undefined ? "" : ` (${page.say(by, 80)})`}`,
      page.bold,
    ),
    ...field("blocks", `${kept}: ${group.map((verdict) => verdict.row.id).join(", ")}`, page),
    ...evidence(first.evidence, scene, page),
  ];
}

const ANSWER = 240;
const LINE = 1500;

/** The deciding exchange in full, the others by number. */
function evidence(cited: readonly number[], scene: Scene, page: Page): Lines {
  const [decisive, ...others] = cited;
  if (decisive === undefined) return [];
  const exchange = exchangeOf(scene.transcript, decisive);
  const also = others.length === 0 ? "" : ` (see also ${others.join(", ")})`;
  if (exchange === undefined) return field("evidence", `exchange ${decisive}${also}`, page);
  const status = exchange.http === undefined ? "" : `, HTTP ${exchange.http.status}`;
  const text = receivedText(exchange);
  const line = repro(exchange, scene);
  return [
    ...field("evidence", `exchange ${decisive}${status}${also}`, page),
    ...page.paragraph(
      " ".repeat(page.narrow ? 6 : 14),
      text === "" ? page.say(ending(exchange)) : page.say(text, ANSWER),
      page.dim,
    ),
    // One line whatever its length, so that it can be copied.
    ...(line === undefined
      ? []
      : line.length > LINE
        ? field("repeat", "see the JSON report", page)
        : repeat(line, page)),
  ];
}

const repeat = (line: string, page: Page): Lines => [
  `    ${page.dim(padded("repeat", 10))}${page.say(line, Number.POSITIVE_INFINITY)}`,
];

const field = (label: string, text: string, page: Page): Lines =>
  page.narrow
    ? [`    ${page.dim(label)}`, ...page.paragraph("      ", text)]
    : page.paragraph(`    ${page.dim(padded(label, 10))}`, text);
