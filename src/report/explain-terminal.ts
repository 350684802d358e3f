import { count } from "../text/count.ts";
import { createPage, type Lines, type Page, type PageOptions, padded } from "./_page.ts";
import type { CheckExplained, ListExplained, RevisionExplained } from "./explain.ts";

/** An explanation for people at a terminal. */
export function explainToTerminal(explained: CheckExplained | ListExplained, options: PageOptions): string {
  const page = createPage(options);
  const lines = explained.kind === "check" ? check(explained, page) : list(explained, page);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

// --- internal ---

function check(explained: CheckExplained, page: Page): Lines {
  const { id, area, title, why, fix, snippet, revisions, differences, faults, cases } = explained;
  return [
    page.bold(`${id} (${area})`),
    ...page.paragraph("", title),
    ...field("why", why, page),
    ...field("fix", fix, page),
    // Left whole, so that it can be copied.
    ...snippet.map((line) => `  ${" ".repeat(LABEL)}${page.cyan(line)}`),
    ...resultNote(explained, page),
    ...revisions.flatMap((each) => ["", ...revision(each, page)]),
    ...section(
      "Differences",
      differences.map((each) => each),
      page,
    ),
    ...section(
      "Says of a server that is",
      cases.map(({ name, text }) => `${name}: ${text}`),
      page,
    ),
    ...section(
      'Proven by faults, each completing "a server that"; mcp-assay serve --fault ID is such a server',
      faults.map((each) => {
        const where = [each.on, each.only].filter((word) => word !== undefined).join(", ");
        return `${each.id} ${each.name}${where === "" ? "" : ` (${where} only)`}`;
      }),
      page,
    ),
  ];
}

const LABEL = 12;

const field = (label: string, text: string, page: Page): Lines =>
  page.paragraph(`  ${page.dim(padded(label, LABEL))}`, text);

const section = (title: string, items: readonly string[], page: Page): Lines =>
  items.length === 0
    ? []
    : ["", ...page.paragraph("", title, page.bold), ...items.flatMap((item) => page.paragraph("  - ", item))];

/** What a snippet for both revisions leaves out. */
function resultNote({ snippet, revisions }: CheckExplained, page: Page): Lines {
  const text = snippet.join("\n");
  const modern = revisions.some((each) => each.revision === "2026-07-28");
  if (!modern || !text.includes('"result":') || text.includes("resultType")) return [];
  return page.paragraph(
    `  ${" ".repeat(LABEL)}`,
    '(2026-07-28: every result has "resultType": "complete", too)',
    page.dim,
  );
}

const revision = (explained: RevisionExplained, page: Page): Lines => [
  page.bold(explained.revision),
  ...field("required", explained.required, page),
  ...field("level", explained.level, page),
  ...field("transports", explained.transports.join(", "), page),
  ...(explained.since === undefined ? [] : field("since", explained.since, page)),
  // Left whole, so that it can be followed.
  `  ${page.dim(padded("section", LABEL))}${page.cyan(explained.section)}`,
  ...field("requirement", explained.requirement, page),
  ...field("passes", explained.verdicts.pass, page),
  ...field("fails", explained.verdicts.fail, page),
  ...field("skipped", explained.verdicts.skipped, page),
];

function list({ checks, area }: ListExplained, page: Page): Lines {
  const widest = Math.max(0, ...checks.map(({ id }) => id.length));
  return [
    page.bold(`${count(checks.length, "check")}${area === undefined ? "" : ` of the area ${area}`}`),
    ...checks.flatMap((each, index) => {
      const required = Object.entries(each.required).map(([one, word]) => `${one}: ${word.replace(/,.*/, "")}`);
      const heading = area === undefined && each.area !== checks[index - 1]?.area ? ["", page.bold(each.area)] : [];
      return [
        ...heading,
        ...page.paragraph(`  ${padded(each.id, widest)}  `, each.title),
        ...page.paragraph(`  ${" ".repeat(widest)}  `, `required in ${required.join("; in ")}`, page.dim),
      ];
    }),
  ];
}
