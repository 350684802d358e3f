import { createHash } from "node:crypto";
import type { Report } from "../model/report.ts";
import { cap } from "../text/escape.ts";
import { markup } from "../text/markup.ts";
import { checks, WORDS } from "./_html-checks.ts";
import { SCRIPT } from "./_html-script.ts";
import { STYLE } from "./_html-style.ts";
import { type Sheet, sheetOf } from "./_sheet.ts";
import { expectationLines, grouped, NOTHING_MEASURED } from "./_words.ts";
import type { ReportOptions } from "./document.ts";

/** The report as one page that needs nothing from elsewhere. Only its own script and style run in it. */
export function toHtml(report: Report, options: ReportOptions): string {
  const sheet = sheetOf(report, options);
  const { document, server } = sheet;
  const { grade, score, environment, toolVersion, timestamp } = document;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${markup(`${grade} ${score.toFixed(1)}: ${cap(server, 80)}, MCP ${document.specVersion}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="to-checks" href="#checks">To the checks</a>
<div class="page">
${header(sheet)}
<main>
${alerts(sheet)}
<h2>Areas</h2>
<ul class="areas">
${areas(sheet)}
</ul>
<section id="checks" aria-labelledby="checks-title" tabindex="-1">
<h2 id="checks-title">Checks: <span id="shown" aria-live="polite">all ${document.summary.total}</span></h2>
${filters(sheet)}
<p id="none" class="card alert" hidden>No check fits this filter.</p>
${checks(sheet)}</section>
</main>
<footer>
${sheet.elsewhere === "" ? "" : `<p>${sheet.elsewhere}.</p>\n`}<p>${markup(`${environment.tool} ${toolVersion} (${environment.commit}), ${environment.runtime}, ${environment.os} ${environment.arch}, ${timestamp}`)}</p>
</footer>
</div>
<div id="said" class="to-checks" role="status"></div>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

// --- internal ---

const hash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function header({ document, server, totals, revisionNote }: Sheet): string {
  const { grade, score, overall, url, specVersion, environment, serverInfo, timestamp } = document;
  const fields: readonly (readonly [string, string | null])[] = [
    ["Target", url],
    ["Revision", revisionNote === undefined ? specVersion : `${specVersion} (${revisionNote})`],
    ["Transport", environment.transport],
    ["Speaks", serverInfo.protocolVersion],
    ["Date", timestamp.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
  ];
  return `<header class="card">
<div class="top">
<div class="grade grade-${grade}" role="img" aria-label="Grade ${grade}, ${score.toFixed(1)} of 100"><b>${grade}</b><span>${score.toFixed(1)} / 100</span></div>
<div class="about">
<h1>${markup(server)}</h1>
<dl>
${fields.flatMap(([label, value]) => (value === null ? [] : [`<dt>${label}</dt><dd>${markup(value)}</dd>`])).join("\n")}
</dl>
</div>
</div>
<p class="totals">${markup(totals)} <span class="soft">(overall: ${overall})</span></p>
</header>`;
}

function alerts({ document }: Sheet): string {
  const { partial, coverage, trouble, stderrTail, warnings } = document;
  const expectations = expectationLines(document);
  const list = (items: readonly string[]): string =>
    items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
  const box = (title: string, inner: string, bad = ""): string =>
    inner === "" ? "" : `<section class="card alert${bad}"><h2>${title}</h2>${inner}</section>\n`;
  return [
    partial === undefined ? "" : box("This run is not whole", `<p>${markup(partial)}</p>`, " bad"),
    coverage.measured > 0 ? "" : box("Nothing to grade", `<p>${NOTHING_MEASURED}.</p>`, " bad"),
    trouble === undefined
      ? ""
      : box(
          "The server",
          `<p>${markup(trouble)}</p>${stderrTail === undefined ? "" : `<pre tabindex="0"><code>${markup(stderrTail)}</code></pre>`}`,
          " bad",
        ),
    box("Warnings", list(warnings.map((each) => markup(each)))),
    box("Expected failures", list(expectations.map(({ id, text }) => `<code>${id}</code>: ${markup(text)}`))),
  ].join("");
}

function areas({ document: { categories } }: Sheet): string {
  return Object.entries(categories)
    .map(([area, { passed, total, skipped }]) => {
      const [good, measured] = [passed - skipped, total - skipped];
      // Never drawn full, nor empty, unless it is.
      const length =
        measured === 0
          ? 0
          : good === measured
            ? 100
            : Math.min(98, Math.max(good === 0 ? 0 : 2, (100 * good) / measured));
      const bar = `<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" height="8"/><rect class="${good === measured ? "whole" : "part"}" width="${length.toFixed(1)}" height="8"/></svg>`;
      const count = measured === 0 ? "nothing measured" : `${good} of ${measured} passed`;
      return `<li class="card"><b>${area}</b><span class="count">${count}</span>${bar}<span class="soft">${skipped === 0 ? "none skipped" : `${skipped} skipped`}</span></li>`;
    })
    .join("\n");
}

function filters({ document: { tests } }: Sheet): string {
  const button = (filter: string, value: string, words: string, count: number): string =>
    `<button type="button" data-filter="${filter}" data-value="${value}" aria-pressed="false">${words} ${count}</button>`;
  const byStatus = grouped(tests, ({ status }) => status);
  const byArea = grouped(tests, ({ category }) => category);
  const statuses = Object.entries(WORDS).flatMap(([status, words]) => {
    const count = byStatus.get(status)?.length ?? 0;
    return count === 0 ? [] : [button("status", status, words, count)];
  });
  return `<div id="filters" class="card filters" hidden>
<div role="group" aria-label="Filter by outcome"><span class="name">Outcome</span>${statuses.join("")}</div>
<div role="group" aria-label="Filter by area"><span class="name">Area</span>${[...byArea]
    .map(([area, { length }]) => button("area", area, area, length))
    .join("")}<button type="button" data-clear hidden>Show all</button></div>
</div>`;
}
