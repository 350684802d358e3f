import { tool } from "../about.ts";
import { negated, type Option } from "./split.ts";
import type { Verb } from "./verb.ts";

/** How help is written: colours only where they are wanted. */
export interface Pen {
  readonly width: number;
  readonly color: boolean;
}

/** All verbs, with what most people come for first. */
export function overview(verbs: readonly Verb[], pen: Pen): string {
  const bold = boldOf(pen);
  const width = Math.max(...verbs.map(({ name }) => name.length));
  return [
    `${tool.name} ${tool.version}: tells whether an MCP server is good`,
    "",
    bold("Examples"),
    ...EXAMPLES.map((line) => `  ${line}`),
    "",
    bold("Verbs"),
    ...verbs.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    "",
    bold("More"),
    "  mcp-assay help VERB     examples and options of a verb",
    "  mcp-assay --version     the version, the commit it was built from, and what it runs on",
    "",
    "Exit codes: 0 fine, 1 findings, 2 usage, 3 unreachable, 4 unauthorized, 70 our own fault, 130 interrupted.",
  ].join("\n");
}

/** One verb: examples first, then its options by group. */
export function usage(verb: Verb, pen: Pen): string {
  const bold = boldOf(pen);
  const groups = [...new Set(verb.options.map(({ group }) => group ?? "Options"))];
  const left = Math.min(30, Math.max(0, ...verb.options.map((option) => nameOf(option).length)));
  const target = verb.target === undefined ? "" : ` ${verb.target}`;
  return [
    `mcp-assay ${verb.name}: ${verb.about}`,
    "",
    bold("Examples"),
    ...verb.examples.map((line) => `  ${line}`),
    "",
    bold("Usage"),
    `  mcp-assay ${verb.name}${verb.options.length > 0 ? " [options]" : ""}${target}`,
    ...(verb.notes ?? []).flatMap((note) => ["", ...wrapped(note, pen.width - 2).map((line) => `  ${line}`)]),
    ...groups.flatMap((group) => [
      "",
      bold(group),
      ...verb.options
        .filter((option) => (option.group ?? "Options") === group)
        .flatMap((option) => entry(option, left, pen.width)),
    ]),
    "",
  ].join("\n");
}

/** How an option is written: `-H, --header "Name: value"`. */
export function nameOf({ name, short, value }: Option): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** What an option does, with all that follows from its row. */
export function aboutOf(option: Option): string {
  const { about, scope, otherwise, many, field, words } = option;
  const more = [
    ...(Array.isArray(words) ? [words.join(" | ")] : []),
    ...(scope === undefined ? [] : [scope === "http" ? "HTTP" : "stdio"]),
    ...(many === true ? ["repeatable"] : []),
    ...(otherwise === undefined ? [] : [`default: ${otherwise}`]),
    ...(field === undefined ? [] : [`config: ${field}`]),
    ...(negated(option) === undefined ? [] : [`off: --${negated(option)}`]),
  ];
  return `${about}${more.length === 0 ? "" : ` (${more.join("; ")})`}`;
}

// --- internal ---

const EXAMPLES = [
  "mcp-assay test https://example.com/mcp                        grade a server behind a URL",
  "mcp-assay test npx -y @modelcontextprotocol/server-memory     grade one that is started by a command",
  "mcp-assay test --mcp-json .mcp.json --server files            grade one that your client is set up with",
  "mcp-assay init                                                write down what to test, and how",
];

function entry(option: Option, left: number, width: number): readonly string[] {
  const name = nameOf(option);
  const lines = wrapped(aboutOf(option), Math.max(20, width - left - 4));
  const indent = " ".repeat(left + 4);
  if (name.length > left) return [`  ${name}`, ...lines.map((line) => `${indent}${line}`)];
  return lines.map((line, index) => (index === 0 ? `  ${name.padEnd(left)}  ${line}` : `${indent}${line}`));
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const boldOf =
  ({ color }: Pen) =>
  (text: string) =>
    color ? `\u001b[1m${text}\u001b[22m` : text;
