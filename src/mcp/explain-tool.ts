import { fromJsonSchema, type McpServer } from "@modelcontextprotocol/server";
import { explainTest } from "../library/explanations.ts";
import { REVISIONS, type RevisionId } from "../model/catalog.ts";
import type { CheckExplained } from "../report/explain.ts";
import { explainToTerminal } from "../report/explain-terminal.ts";
import { argumentsOf } from "./arguments.ts";
import { answered, refused } from "./result.ts";

/** `explain` as a tool. */
export function registerExplain(server: McpServer): void {
  server.registerTool(
    "mcp_compliance_explain",
    {
      title: "Explain a compliance check",
      description:
        "Says of a check, by its id, what it asks of a server, why, how to pass it (with a snippet), what passes, fails and skips it, and where in the specification that stands. Without specVersion both catalogs are searched, and where they differ is said. An area (transport, lifecycle, tools, resources, prompts, errors, schema, security) lists its checks.",
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: argumentsOf<ExplainInput>(INPUT),
      outputSchema: fromJsonSchema(OUTPUT),
    },
    ({ testId, specVersion }) => {
      const found = explainTest(testId, specVersion);
      if (found.kind === "unknown") return refused(found.message.replace("explain --list", "an area's name as testId"));
      return answered([explain(found)], found);
    },
  );
}

/** The same text for the tool and for the resource. */
export const explain = (found: Parameters<typeof explainToTerminal>[0]): string =>
  explainToTerminal(found, { color: false, width: 100, redact: (text) => text });

/** The check of that id in that revision, if there is one. */
export function checkOf(id: string, revision: RevisionId): CheckExplained | undefined {
  const found = explainTest(id, revision);
  return found.kind === "check" && found.id === id ? found : undefined;
}

// --- internal ---

interface ExplainInput {
  readonly testId: string;
  readonly specVersion?: RevisionId;
}

const INPUT = {
  type: "object",
  required: ["testId"],
  additionalProperties: false,
  properties: {
    testId: {
      type: "string",
      maxLength: 200,
      description: "the id of a check, such as tools-call-unknown, or an area",
      examples: ["tools-list"],
    },
    specVersion: { enum: [...REVISIONS], description: "only what this revision says; default: both" },
  },
};

const text = { type: "string" };
const texts = { type: "array", items: text };

const OUTPUT = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: { enum: ["check", "list"] },
    ...{ id: text, area: text, title: text, why: text, fix: text, snippet: texts, differences: texts },
    revisions: {
      type: "array",
      items: {
        type: "object",
        required: ["revision", "required", "level", "transports", "section", "requirement", "verdicts"],
        properties: {
          ...{ revision: { enum: [...REVISIONS] }, required: text, level: text, transports: texts, section: text },
          ...{ requirement: text, verdicts: { type: "object" }, since: text },
        },
      },
    },
    faults: {
      type: "array",
      items: { type: "object", required: ["id", "name"], properties: { id: text, name: text } },
    },
    cases: { type: "array", items: { type: "object", required: ["name", "text"], properties: { name: text, text } } },
    checks: {
      type: "array",
      items: { type: "object", required: ["id", "area", "title"], properties: { id: text, area: text, title: text } },
    },
  },
};
