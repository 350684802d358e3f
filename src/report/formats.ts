import type { Report } from "../model/report.ts";
import type { PageOptions } from "./_page.ts";
import type { ReportOptions } from "./document.ts";
import type { Format } from "./format-names.ts";
import { toGithub } from "./github.ts";
import { toHtml } from "./html.ts";
import { toJson } from "./json.ts";
import { toJunit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { toSarif } from "./sarif.ts";
import { toTerminal } from "./terminal.ts";

export interface FormatOptions extends ReportOptions {
  /** What the terminal can do; without it, text for a file: no colours, 100 columns. */
  readonly page?: Omit<PageOptions, "redact">;
}

/** What writes each of them. Each is pure: data in, text out. */
export const formats: Readonly<Record<Format, (report: Report, options: FormatOptions) => string>> = {
  terminal: (report, { page, ...options }) =>
    toTerminal(report, { ...options, ...(page ?? { color: false, width: 100 }) }),
  json: toJson,
  sarif: toSarif,
  github: toGithub,
  markdown: toMarkdown,
  html: toHtml,
  junit: toJunit,
};
