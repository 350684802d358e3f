import { toBadge } from "../report/badge.ts";
import type { Format } from "../report/format-names.ts";
import { formats } from "../report/formats.ts";
import { transcriptLines } from "../report/transcript.ts";
import type { SuiteRun } from "./suite.ts";

/** The report of a run in one of its forms, as `--format` prints it; `badge` is an SVG, `transcript` JSON lines. */
export function formatRun({ report, redact, reach }: SuiteRun, format: Format | "badge" | "transcript"): string {
  if (format === "badge") return toBadge(report);
  if (format === "transcript") return transcriptLines(report.transcript, redact);
  return formats[format](report, { redact, reach });
}
