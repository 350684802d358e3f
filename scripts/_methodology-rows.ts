import type { DocumentedRow } from "../src/model/catalog.ts";
import type { Described } from "./generate.ts";

/** All there is to say of one row: what it asks, when it passes, fails and is skipped, why, and what its check catches. */
export function section(row: DocumentedRow, revision: string, checks: readonly Described[]): string {
  const check = checks.find((each) => each.id === row.id);
  const backed = row.level !== "inferred" && row.level !== "heuristic";
  const facts = [
    `- required: ${requirement(row.required)}${row.required === true && !backed ? ", by this catalog and not by the specification" : ""}`,
    `- level: ${row.level}`,
    `- transports: ${row.transports.join(", ")}`,
    ...(row.since === undefined ? [] : [`- since: ${row.since}`]),
    `- section: <${row.section}>`,
    `- requirement: ${prose(row.requirement)}`,
    `- passes: ${prose(row.verdicts.pass)}`,
    `- fails: ${prose(row.verdicts.fail)}`,
    `- skipped: ${prose(row.verdicts.skipped)}`,
  ].join("\n");
  if (check === undefined) return [`#### ${row.id}`, "Not implemented yet.", facts].join("\n\n");
  return [
    `#### ${row.id}`,
    `**${prose(check.title)}**`,
    facts,
    `Why: ${prose(check.why)}`,
    `Fix: ${prose(check.fix)}`,
    caught(check, revision),
  ].join("\n\n");
}

/** Keeps Markdown and HTML out of our sentences, except for code spans. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(/[<*|\\]/g, (char) => (char === "<" ? "&lt;" : `\\${char}`)),
    )
    .join("");
}

// --- internal ---

function caught(check: Described, revision: string): string {
  if (check.faults.length === 0) {
    const cases = (check.cases ?? []).map(({ name, text }) => `- ${prose(name)}: "${prose(text)}"`);
    return ["It only informs. What it says of a server that is\n", ...cases].join("\n");
  }
  const faults = check.faults.flatMap((each, at) => {
    if (each.only !== undefined && each.only !== revision) return [];
    const where = each.on === undefined ? "" : ` (${each.on} only)`;
    return [`- \`${check.id}/${at + 1}\` ${prose(each.name)}${where}`];
  });
  return ['Faults it catches, each completing "a server that":\n', ...faults].join("\n");
}

function requirement(required: DocumentedRow["required"]): string {
  if (typeof required === "boolean") return required ? "yes" : "no";
  return `when the server declares \`${required.capability}\``;
}
