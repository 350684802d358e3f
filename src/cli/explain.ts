import configSchema from "../../catalogs/config.v1.schema.json" with { type: "json" };
import reportSchema from "../../catalogs/report.v1.schema.json" with { type: "json" };
import { checks } from "../checks/index.ts";
import { REVISIONS } from "../model/catalog.ts";
import { explain as explanation, listChecks, type Sources } from "../report/explain.ts";
import { explainToTerminal } from "../report/explain-terminal.ts";
import { revisions } from "../revisions/index.ts";
import { EXIT } from "./exit.ts";
import type { Split } from "./split.ts";
import { print, screenOf } from "./terminal.ts";
import { UsageError } from "./usage.ts";
import { choice } from "./values.ts";
import type { Verb } from "./verb.ts";

const FORMATS = ["terminal", "json"] as const;
const SCHEMAS = ["report", "config"] as const;

export const explain: Verb = {
  name: "explain",
  about: "say what a check asks and why, how to pass it, and which faults prove that it works",
  target: "<id | area>",
  operands: "plain",
  options: [
    {
      name: "spec-version",
      value: "<revision>",
      words: ["auto", ...REVISIONS],
      about: "only what this revision says",
      otherwise: "both, and where they differ",
    },
    { name: "list", about: "list all checks with their titles" },
    {
      name: "schema",
      value: "<name>",
      words: SCHEMAS,
      about: "print a JSON Schema: of --format json, or of the config file",
    },
    {
      name: "format",
      value: "<format>",
      words: FORMATS,
      about: "the explanation in this form on stdout",
      otherwise: "terminal",
    },
    { name: "no-color", about: "no colours (so does NO_COLOR)" },
  ],
  examples: [
    "mcp-assay explain tools-call-unknown",
    "mcp-assay explain security --spec-version 2026-07-28",
    "mcp-assay explain --list",
    "mcp-assay explain --schema report > report.v1.schema.json",
  ],
  notes: ["It explains a check by its id or by the id of one of its faults, and lists the checks of an area."],
  async run(split) {
    await print(said(split));
    return EXIT.fine;
  },
};

// --- internal ---

const schemas = { report: reportSchema, config: configSchema };

function said(split: Split): string {
  const { words, switches } = split;
  const revision = choice(split, "spec-version", ["auto", ...REVISIONS]) ?? "auto";
  const format = choice(split, "format", FORMATS) ?? "terminal";
  const schema = choice(split, "schema", SCHEMAS);
  const [id, ...more] = words;
  const asked = [id, schema, switches.has("list") ? "list" : undefined].filter((each) => each !== undefined);
  if (more.length > 0 || asked.length > 1) {
    throw new UsageError("explain takes one of these: an id, an area, --list or --schema.");
  }
  if (schema !== undefined) return JSON.stringify(schemas[schema], null, 2);
  if (asked.length === 0) {
    throw new UsageError("Explain what? Give the id of a check (mcp-assay explain tools-list), an area, or --list.");
  }
  const only = revision === "auto" ? undefined : revision;
  const found = id === undefined ? listChecks(sources(), only) : explanation(id, sources(), only);
  if (found.kind === "unknown") throw new UsageError(found.message);
  if (format === "json") return JSON.stringify(found, null, 2);
  const screen = screenOf(process.stdout, switches.has("no-color"));
  return explainToTerminal(found, { ...screen, redact: (text) => text });
}

function sources(): Sources {
  return {
    checks,
    catalogs: { "2025-11-25": revisions["2025-11-25"].catalog, "2026-07-28": revisions["2026-07-28"].catalog },
  };
}
