import { terminal } from "./escape.ts";

/** The text for HTML or XML, between tags or in a quoted attribute. Controls show as escapes; newlines stay. */
export const markup = (text: string): string =>
  shown(text)
    .replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? character)
    // A CI system that prints the page would take these for commands of its own.
    .replace(COMMAND, (_, indent = "", line = "", mark = line) => `${indent}&#${mark.charCodeAt(0)};${mark.slice(1)}`);

/** Our own text in a line of Markdown: what would be markup is shown as it is. */
export const markdown = (text: string): string =>
  terminal(text).replace(/[\\`*_[\]<>|#~&]|^[-+]/g, (character) => `\\${character}`);

/**
 * Others' text in a line of Markdown, as a code span: inert there, and no mention, link, image or reference. In a
 * table a bar would end the cell, and not all readers agree on how to keep it from that.
 */
export function markdownCode(text: string, where: "line" | "table" = "line"): string {
  const inert = terminal(text);
  if (inert.trim() === "") return "(empty)";
  const fence = "`".repeat(longestRun(inert) + 1);
  // A blank keeps backticks at the ends apart from the fence; it is stripped when shown.
  const pad = /^[` ]|[` ]$/.test(inert) ? " " : "";
  const span = neutral(`${fence}${pad}${inert}${pad}${fence}`);
  return where === "table" ? span.replaceAll("|", "\\u007c") : span;
}

/** Others' text as a block of code in Markdown, its lines kept. */
export function markdownBlock(text: string, language = ""): string {
  const inert = neutral(shown(text));
  const fence = "`".repeat(Math.max(3, longestRun(inert) + 1));
  return `${fence}${language}\n${inert}\n${fence}`;
}

/** The text in which no line is a command of the CI system that prints it: the mark of one is shown as an escape. */
export const neutral = (text: string): string =>
  text.replace(COMMAND, (_, indent = "", line = "", mark = line) => `${indent}\\u${hex(mark)}${mark.slice(1)}`);

// --- internal ---

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

// GitHub reads `::name` at the start of a line, blanks and colours before it or not, and `##[` anywhere; Azure Pipelines
// and TeamCity have marks of their own.
const COMMAND = /(^(?:[^\S\n]|\u001b\[[\d;]*m)*)(::)|(##(?:vso|teamcity)?\[)/gm;

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, "0");

/** The text made inert with its lines kept, noncharacters shown, too: XML has no place for them. */
const shown = (text: string): string =>
  terminal(text, { newlines: true }).replace(/[\ufffe\uffff]/g, (character) => `\\u${hex(character)}`);

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
