import { expect } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import schema from "../../catalogs/report.v1.schema.json" with { type: "json" };
import type { ReportDocument } from "./json-contract.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false });
addFormats.default(ajv);
const isValid = ajv.compile<ReportDocument>(schema);

/** For tests: the JSON report as a document, once its schema and the sums that no schema can check hold. */
export function validDocument(text: string): ReportDocument {
  const document: unknown = JSON.parse(text);
  if (!isValid(document)) throw new Error(`no valid report: ${ajv.errorsText(isValid.errors)}`);
  const { summary, tests, categories, coverage } = document;
  const count = (holds: (test: (typeof tests)[number]) => boolean): number => tests.filter(holds).length;
  expect(summary).toEqual({
    total: tests.length,
    passed: count(({ passed }) => passed),
    failed: count(({ passed }) => !passed),
    required: count(({ required }) => required),
    requiredPassed: count(({ required, passed }) => required && passed),
    skipped: count(({ skipped }) => skipped),
  });
  for (const [area, each] of Object.entries(categories)) {
    expect(each).toEqual({
      total: count(({ category }) => category === area),
      passed: count(({ category, passed }) => category === area && passed),
      skipped: count(({ category, skipped }) => category === area && skipped),
    });
  }
  expect(Object.values(categories).reduce((sum, { total }) => sum + total, 0)).toBe(summary.total);
  expect(coverage.run).toBe(summary.total);
  expect(coverage.measured).toBe(summary.total - summary.skipped);
  // Some parsers refuse a lone surrogate, as an escape, too.
  expect(text).not.toMatch(
    /(?<!\\)(?:\\\\)*\\ud(?:[89ab][0-9a-f]{2}(?!\\ud[c-f])|[c-f][0-9a-f]{2}(?<!\\ud[89ab][0-9a-f]{2}\\u.{4}))/,
  );
  expect(text).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Cs}]/u);
  return document;
}
