import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AREAS } from "../src/model/catalog.ts";
import { section } from "./_methodology-rows.ts";
import { between, coverage, effects, matrix } from "./_methodology-tables.ts";
import type { Catalogs, Described } from "./generate.ts";

/** What is said of the method, in order; each is a file in scripts/methodology, with places for what is computed. */
const PARTS = [
  "introduction",
  "run",
  "outcomes",
  "score",
  "faults",
  "concurrency",
  "revisions",
  "unclear",
  "unclear-2",
  "fixes-http",
  "fixes-messages",
] as const;

/** The text of catalogs/README.md. */
export function methodology(catalogs: Catalogs, checks: readonly Described[]): string {
  const computed: Readonly<Record<string, string>> = {
    coverage: coverage(catalogs, checks),
    faults: matrix(catalogs, checks),
    effects: effects(checks),
    revisions: between(catalogs),
  };
  const parts = PARTS.map((part) => filled(part, computed));
  return `${[...parts, ...rows(catalogs, checks)].join("\n\n")}\n`;
}

// --- internal ---

function filled(part: string, computed: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dir, "methodology", `${part}.md`), "utf8").replaceAll("\r\n", "\n");
  return text.trimEnd().replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const found = computed[name];
    if (found === undefined) throw new TypeError(`scripts/methodology/${part}.md: nothing is computed for ${name}`);
    return found;
  });
}

function rows(catalogs: Catalogs, checks: readonly Described[]): readonly string[] {
  return [...catalogs].flatMap(([revision, catalog]) => {
    const written = catalog.filter((row) => checks.some((check) => check.id === row.id)).length;
    const on = (kind: "http" | "stdio"): number => catalog.filter((row) => row.transports.includes(kind)).length;
    const areas = AREAS.flatMap((area) => {
      const own = catalog.filter((row) => row.area === area);
      return own.length === 0 ? [] : [`### ${area} (${revision})`, ...own.map((row) => section(row, revision, checks))];
    });
    const counts = `${catalog.length} rows, ${on("http")} over HTTP and ${on("stdio")} over stdio; ${written} have a check.`;
    return [`## Revision ${revision}`, counts, ...areas];
  });
}
