import { cap } from "../text/escape.ts";
import { markdown, markdownCode } from "../text/markup.ts";
import type { Redact } from "../text/redact.ts";
import { type Change, type Diff, scoresOf, sectionsOf, totalsOf } from "./diff.ts";
import type { DiffSide, DiffTest } from "./diff-read.ts";

/** The comparison in GitHub's Markdown, for a comment. What stands in the reports is code, where it is inert. */
export function diffToMarkdown(diff: Diff, redact: Redact): string {
  const code = (text: string, max = LONGEST) => markdownCode(cap(redact(text), max));
  const cell = (text: string, max = 200) => markdownCode(cap(redact(text), max), "table");
  const row = (letter: string, { name, grade, score, url, timestamp, toolVersion }: DiffSide) =>
    `| ${letter} | ${cell(name)} | ${grade} ${score.toFixed(1)} | ${cell(url)} | ${cell(timestamp, 40)} | ${cell(toolVersion, 40)} |`;
  const state = (label: string, { status, details }: DiffTest) =>
    `  - ${label} ${status}${details === "" ? "" : `: ${code(details)}`}`;
  const entry = ({ id, was, now }: Change): string => {
    const test = now ?? was;
    return [
      `- ${code(id, 100)}${test?.required === true ? " **required**" : ""}: ${markdown(cap(redact(test?.name ?? ""), 200))}`,
      ...(was === undefined ? [] : [state("was", was)]),
      ...(now === undefined ? [] : [state("now", now)]),
    ].join("\n");
  };
  const sections = sectionsOf(diff).flatMap(([title, changes]) =>
    changes.length === 0 ? [] : [`### ${title} (${changes.length})`, changes.map(entry).join("\n")],
  );
  const blocks = [
    `## MCP report, ${diff.b.specVersion}: ${markdown(scoresOf(diff))}`,
    [
      "| | report | grade | target | time | version |",
      "| --- | --- | --- | --- | --- | --- |",
      row("A", diff.a),
      row("B", diff.b),
    ].join("\n"),
    `**${totalsOf(diff)}**`,
    ...sections,
    ...(diff.notes.length === 0
      ? []
      : ["### Notes", diff.notes.map((note) => `- ${markdown(cap(redact(note), LONGEST))}`).join("\n")]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

// --- internal ---

const LONGEST = 400;
