import { expect } from "bun:test";
import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { JSDOM } from "jsdom";
import { parse as parseJunit } from "junit2json";
import { XmlDocument } from "libxml2-wasm";
import { marked } from "marked";
import type { Log } from "sarif";
import { validDocument } from "./_valid.ts";
import type { Format } from "./format-names.ts";

const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats.default(ajv);
const isSarif = ajv.compile<Log>(sarifSchema);

/** For tests: the SARIF log, once the official schema holds. */
export function validSarif(text: string): Log {
  const log: unknown = JSON.parse(text);
  if (!isSarif(log)) throw new Error(`no valid SARIF: ${ajv.errorsText(isSarif.errors)}`);
  return log;
}

/** For tests: the report as a JUnit parser reads it, once an XML parser accepts it. */
export async function validJunit(text: string) {
  XmlDocument.fromString(text).dispose();
  const parsed = await parseJunit(text);
  const suites = parsed !== null && parsed !== undefined && "testsuite" in parsed ? (parsed.testsuite ?? []) : [];
  const [suite] = suites;
  if (suite === undefined || suites.length !== 1) throw new Error("no single suite");
  return suite;
}

/** For tests: the Markdown as GitHub's dialect is rendered, raw HTML let through. */
export const rendered = (text: string): Document =>
  new JSDOM(marked.parse(text, { gfm: true, async: false })).window.document;

/** For tests: holds what each format makes of hostile text against what may be in it. */
export const expectInert: Readonly<Record<Format | "transcript", (text: string) => Promise<void>>> = {
  async terminal(text) {
    expectPlain(text);
  },
  async json(text) {
    expectPlain(text);
    validDocument(text);
  },
  async transcript(text) {
    expectPlain(text);
    for (const line of text.trimEnd().split("\n")) JSON.parse(line);
  },
  async sarif(text) {
    expectPlain(text);
    validSarif(text);
  },
  async github(text) {
    const lines = text.split("\n");
    expectPlain(lines.filter((line) => !/^::(?:error|warning|notice) title=[^:,]*::/.test(line)).join("\n"));
    expectPlain(lines.map((line) => line.replace(/^::\w+/, "")).join("\n"));
  },
  async markdown(text) {
    expectPlain(text);
    const document = rendered(text);
    expectElements(document, ["SUB", "DETAILS", "SUMMARY"]);
    for (const code of document.querySelectorAll("code, a")) code.remove();
    expect(document.body.textContent).not.toMatch(/@|:\/\/|evil/);
  },
  async html(text) {
    expectPlain(text);
    const { document } = new JSDOM(text).window;
    expect(document.querySelectorAll("script, style").length).toBe(2);
    expectElements(document, ["SCRIPT", "STYLE", "svg", "rect"]);
  },
  async junit(text) {
    expectPlain(text);
    await validJunit(text);
  },
};

// --- internal ---

/** Nothing steers a terminal or hides, and no line is a command of a CI system. */
function expectPlain(text: string): void {
  expect(text.match(/[^\n\P{Cc}]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)).toBeNull();
  expect(text.match(/^\s*::.*|##(?:vso|teamcity)?\[.*/m)).toBeNull();
}

const PROSE =
  "HTML HEAD BODY META TITLE A DIV HEADER MAIN SECTION FOOTER H1 H2 H3 H4 P B BR SPAN UL LI DL DT DD DETAILS SUMMARY FIGURE FIGCAPTION PRE CODE BUTTON STRONG TABLE THEAD TBODY TR TH TD".split(
    " ",
  );

/** Only such elements as we write ourselves, none with a handler, and links only to the specification. */
function expectElements(document: Document, more: readonly string[]): void {
  const elements = [...document.querySelectorAll("*")];
  const known = new Set([...PROSE, ...more]);
  expect(elements.map(({ tagName }) => tagName).filter((name) => !known.has(name))).toEqual([]);
  const attributes = elements.flatMap((element) => [...element.attributes]);
  expect(attributes.filter(({ name }) => /^on|^style$|^src/.test(name))).toEqual([]);
  const links = attributes.filter(({ name, value }) => name === "href" && value !== "#checks");
  expect(links.filter(({ value }) => !value.startsWith("https://modelcontextprotocol.io/"))).toEqual([]);
}
