import { compareReports } from "../report/diff.ts";
import { type DiffDocument, diffDocument } from "../report/diff-json.ts";
import { readReport } from "../report/diff-read.ts";
import { createRedactor } from "../text/redact.ts";

/**
 * Compares two reports, each as its JSON text or as the value: ours, or those of mcp-compliance.
 * @throws DiffError that says why they can't be compared.
 */
export function diffReports(a: unknown, b: unknown, names: readonly [a: string, b: string] = ["A", "B"]): DiffDocument {
  const text = (report: unknown): string => (typeof report === "string" ? report : (JSON.stringify(report) ?? ""));
  return diffDocument(compareReports(readReport(text(a), names[0]), readReport(text(b), names[1])), createRedactor([]));
}
