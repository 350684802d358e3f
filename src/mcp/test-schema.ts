import { REVISIONS } from "../model/catalog.ts";
import type { McpSettings } from "./settings.ts";
import { targetSchema } from "./target.ts";

/** What mcp_compliance_test takes. */
export function inputSchema(settings: McpSettings) {
  const { properties, required } = targetSchema(settings);
  const ids = { type: "array", items: { type: "string", maxLength: 100 }, maxItems: 200 };
  return {
    type: "object",
    required,
    additionalProperties: false,
    properties: {
      ...properties,
      timeout: {
        type: "integer",
        minimum: 100,
        maximum: 120_000,
        description: "milliseconds for each request (default 15000)",
      },
      retries: {
        type: "integer",
        minimum: 0,
        maximum: 5,
        description: "how often a failed check is asked again (default 0)",
      },
      only: { ...ids, description: "only these areas or check ids, such as tools or lifecycle-init" },
      skip: { ...ids, description: "leave these areas or check ids out" },
      specVersion: {
        enum: ["auto", ...REVISIONS],
        description: "the revision to judge by; auto, the default: the newest that it speaks",
      },
    },
  };
}

/** What it gives as structured content. */
export const outputSchema = () => ({
  type: "object",
  required: ["grade", "score", "overall", "specVersion", "url", "summary", "tests", "warnings", "notice"],
  properties: {
    grade: { enum: ["A", "B", "C", "D", "F"] },
    score: { type: "number", minimum: 0, maximum: 100 },
    overall: { enum: ["pass", "partial", "fail"] },
    specVersion: { enum: [...REVISIONS] },
    url: text,
    server: { ...text, description: "name and version, as the server tells them" },
    summary: { type: "object", required: Object.keys(COUNTS), properties: COUNTS },
    tests: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "name", "category", "required", "result", "details", "specRef"],
        properties: {
          ...{
            id: text,
            name: text,
            category: text,
            required: { type: "boolean" },
            details: text,
            specRef: text,
            fix: text,
          },
          result: { enum: ["PASS", "FAIL", "SKIP"] },
          repro: { ...text, description: "a line for a shell that sends the same again" },
        },
      },
    },
    warnings: { type: "array", items: text },
    partial: { ...text, description: "why the run is not whole" },
    notice: text,
  },
});

// --- internal ---

const count = { type: "integer", minimum: 0 };
const COUNTS = { total: count, passed: count, failed: count, required: count, requiredPassed: count, skipped: count };
const text = { type: "string" };
