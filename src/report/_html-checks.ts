import { count } from "../text/count.ts";
import { markup } from "../text/markup.ts";
import type { Blockage, Finding, Sheet } from "./_sheet.ts";
import type { EvidenceDocument, TestDocument } from "./json-contract.ts";

/** What stands on the pill of a test. */
export const WORDS: Readonly<Record<TestDocument["status"], string>> = {
  fail: "Failed",
  blocked: "Blocked",
  error: "Error",
  pass: "Passed",
  skipped: "Skipped",
};

/** All tests, in groups by outcome; root causes with what they block beneath. */
export function checks(sheet: Sheet): string {
  const { document, failures, blockages } = sheet;
  const of = (status: TestDocument["status"]) => document.tests.filter((test) => test.status === status);
  return [
    group("Failed", failures.length, failures.map((each) => failure(each, sheet)).join("\n")),
    group("Blocked", of("blocked").length, blockages.map((each) => blockage(each, sheet)).join("\n")),
    group("Tester errors, not the server's fault", of("error").length, rows(of("error"))),
    group("Passed", of("pass").length, rows(of("pass"))),
    group("Skipped", of("skipped").length, rows(of("skipped"))),
  ].join("");
}

// --- internal ---

const group = (title: string, count: number, inner: string): string =>
  count === 0 ? "" : `<section data-group>\n<h3>${title} (${count})</h3>\n${inner}\n</section>\n`;

const data = ({ status, category }: TestDocument): string => `data-status="${status}" data-area="${category}"`;

const pill = ({ status }: TestDocument): string => `<span class="pill ${status}">${WORDS[status]}</span>`;

const tag = ({ required }: TestDocument): string => (required ? ' <span class="tag">required</span>' : "");

const title = (test: TestDocument): string =>
  `<span>${markup(test.name)}${tag(test)}<br><span class="id">${test.id}</span></span>`;

const rows = (tests: readonly TestDocument[]): string =>
  tests.length === 0 ? "" : `<ul class="card rows">\n${tests.map(row).join("\n")}\n</ul>`;

const row = (test: TestDocument): string =>
  `<li class="row" id="${test.id}" ${data(test)}>${pill(test)}<div><p>${markup(test.name)}${tag(test)}</p>` +
  `<p class="id">${test.id}</p><p class="said">${markup(test.details)}</p></div></li>`;

function failure({ test, disclaimer }: Finding, sheet: Sheet): string {
  const { expected = "", actual = "", note, fix = "", attempts, specRef, evidence } = test;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["Expected", expected],
    ["Actual", actual],
    ["Note", note],
    ["Attempts", attempts?.toString()],
    ["Fix", fix],
  ];
  return `<details class="card check" id="${test.id}" ${data(test)} open>
<summary>${pill(test)}${title(test)}</summary>
<div class="body">
<dl class="fields">${disclaimer === undefined ? "" : `<dd class="mark soft">${markup(disclaimer)}</dd>`}
${fields.flatMap(([label, value]) => (value === undefined ? [] : [`<dt>${label}</dt><dd>${markup(value)}</dd>`])).join("\n")}
<dt>Specification</dt><dd><a href="${markup(specRef)}" rel="noreferrer">${markup(specRef.replace(/^https:\/\//, ""))}</a></dd>
</dl>
${exchange(evidence, sheet)}
</div>
</details>`;
}

function blockage({ because, by, findings }: Blockage, sheet: Sheet): string {
  return `<div class="card cause" data-group>
<h4>${markup(because)}${by === undefined ? "" : ` <span class="id">${markup(by)}</span>`}</h4>
<p class="soft">Cannot be evaluated because of this: ${count(findings.length, "check")}</p>
${exchange(findings[0].test.evidence, sheet)}
<ul class="rows">
${findings
  .map(
    ({ test }) =>
      `<li class="row" id="${test.id}" ${data(test)}>${pill(test)}<div><p>${markup(test.name)}${tag(test)}</p><p class="id">${test.id}</p></div></li>`,
  )
  .join("\n")}
</ul>
</div>`;
}

/** The deciding exchange in full, the others by number. */
function exchange([shown, ...others]: readonly EvidenceDocument[], sheet: Sheet): string {
  if (shown === undefined) return "";
  const { exchange: n, httpStatus, sent, truncated, repro } = shown;
  const also = others.length === 0 ? "" : `, see also ${others.map((each) => each.exchange).join(", ")}`;
  const status = httpStatus === undefined ? "" : `, HTTP ${httpStatus}`;
  return `<div class="exchange">
<h4>Exchange ${n}${status}${also}${truncated ? " (cut)" : ""}</h4>
<div class="pair">${text("Sent", sent)}${text("Received", sheet.answer(shown))}</div>
${
  repro === undefined
    ? ""
    : `<div class="repro">${text("Repeat it in a shell", repro)}<button type="button" data-copy hidden>Copy</button></div>`
}
</div>`;
}

// A newline right after the tag would be dropped.
const text = (label: string, said: string): string =>
  `<figure><figcaption>${label}</figcaption><pre tabindex="0" role="group" aria-label="${label}"><code>${markup(said)}</code></pre></figure>`;
