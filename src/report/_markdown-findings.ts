import { cap } from "../text/escape.ts";
import { markdown, markdownBlock, markdownCode } from "../text/markup.ts";
import type { Forms } from "./_room.ts";
import type { Blockage, Finding, Sheet } from "./_sheet.ts";

/** A failure in Markdown: with its exchange, without it, and as its name alone. */
export function failureForms(finding: Finding, sheet: Sheet): Forms {
  const { test, disclaimer } = finding;
  const heading = `### ✗ \`${test.id}\`: ${markdown(test.name)}${tag(test.required)}`;
  const fields = [
    ...(disclaimer === undefined ? [] : [`- (${disclaimer})`]),
    `- **expected** ${markdownCode(cap(test.expected ?? "", LONGEST_TEXT))}`,
    `- **actual** ${markdownCode(cap(test.actual ?? "", LONGEST_TEXT))}`,
    ...(test.note === undefined ? [] : [`- **note** ${markdownCode(cap(test.note, LONGEST_TEXT))}`]),
    ...(test.attempts === undefined ? [] : [`- **attempts** ${test.attempts}`]),
    `- **fix** ${markdown(test.fix ?? "")}`,
    `- **spec** <${test.specRef}>`,
  ];
  const brief = [heading, fields.join("\n")];
  return [[...brief, ...evidence(finding, sheet)].join("\n\n"), brief.join("\n\n"), heading];
}

/** A root cause in Markdown with what it blocks: with its exchange, without it, and without its words. */
export function blockageForms({ because, by, findings }: Blockage, sheet: Sheet): Forms {
  const ids = findings.map(({ test }) => `\`${test.id}\`${tag(test.required)}`).join(", ");
  const blocked = `Cannot be evaluated: ${ids}`;
  const brief = [`### ⊘ ${markdownCode(because)}${by === undefined ? "" : ` (${markdownCode(by)})`}`, blocked];
  return [[...brief, ...evidence(findings[0], sheet)].join("\n\n"), brief.join("\n\n"), blocked];
}

// --- internal ---

const LONGEST_TEXT = 600;
const LONGEST_LINE = 1500;

const tag = (required: boolean): string => (required ? " **required**" : "");

/** The deciding exchange, folded. */
function evidence({ test }: Finding, sheet: Sheet): readonly string[] {
  const [shown, ...others] = test.evidence;
  if (shown === undefined) return [];
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
