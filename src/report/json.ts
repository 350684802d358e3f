import type { Report } from "../model/report.ts";
import { inertJson } from "../text/escape.ts";
import { documentOf, type ReportOptions } from "./document.ts";

/** The report as its documented JSON contract, version 1. */
export const toJson = (report: Report, options: ReportOptions): string =>
  `${inertJson(JSON.stringify(documentOf(report, options), null, 2))}\n`;
