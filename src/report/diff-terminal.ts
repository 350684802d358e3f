import { createPage, type Lines, type Page, type PageOptions, padded } from "./_page.ts";
import { type Change, type Diff, scoresOf, sectionsOf, totalsOf } from "./diff.ts";
import type { DiffSide, DiffTest } from "./diff-read.ts";
import { isFailing } from "./diff-read.ts";

/** The comparison for people at a terminal. Nothing in the reports can steer it. */
export function diffToTerminal(diff: Diff, options: PageOptions): string {
  const page = createPage(options);
  const paint = { "Newly failing": page.red, Fixed: page.green } as Readonly<Record<string, Page["red"]>>;
  const lines = [
    page.bold(`${diff.b.specVersion}: ${scoresOf(diff)}`),
    "",
    ...side("A", diff.a, page),
    ...side("B", diff.b, page),
    ...sectionsOf(diff).flatMap(([title, changes]) =>
      changes.length === 0
        ? []
        : [
            "",
            page.bold((paint[title] ?? ((text: string) => text))(`${title} (${changes.length})`)),
            ...changes.flatMap((change) => entry(change, page)),
          ],
    ),
    ...(diff.notes.length === 0 ? [] : ["", page.bold("Notes")]),
    ...diff.notes.flatMap((note) => page.paragraph("  - ", page.say(note))),
    "",
    totalsOf(diff),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

// --- internal ---

function side(letter: string, { name, timestamp, toolVersion, url, grade, score }: DiffSide, page: Page): Lines {
  const words = [`${grade} ${score.toFixed(1)}`, page.say(name, 200), page.say(url, 200), page.say(timestamp, 40)];
  return page.paragraph(
    `  ${page.dim(letter)}  `,
    [...words, `version ${page.say(toolVersion, 40)}`].filter((word) => word !== "").join(", "),
  );
}

function entry({ id, was, now }: Change, page: Page): Lines {
  const test = now ?? was;
  const tag = test?.required === true ? " [required]" : "";
  return [
    ...page.paragraph("  - ", `${page.say(id, 100)} ${page.mark.dash} ${page.say(test?.name ?? "", 200)}${tag}`),
    ...(was === undefined ? [] : state("was", was, page)),
    ...(now === undefined ? [] : state("now", now, page)),
    ...(now?.fix === undefined || !isFailing(now.status)
      ? []
      : page.paragraph(`      ${page.dim(padded("fix", 5))}`, page.say(now.fix))),
  ];
}

const state = (label: string, { status, details }: DiffTest, page: Page): Lines =>
  page.paragraph(
    `      ${page.dim(padded(label, 5))}`,
    `${status}${details === "" ? "" : `: ${page.say(details, 400)}`}`,
  );
