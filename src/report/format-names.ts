/** Every form that a report can take. */
export const FORMATS = ["terminal", "json", "sarif", "github", "markdown", "html", "junit"] as const;
export type Format = (typeof FORMATS)[number];
