// Writes what follows from the catalogs, the checks and the command line: src/checks/index.ts, catalogs/README.md,
// catalogs/config.v1.schema.json and the tables of options in README.md.
// `--check` writes nothing and names the files that are stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import { AREAS, CatalogSchema, type DocumentedCatalog, REVISIONS } from "../src/model/catalog.ts";
import { methodology } from "./_methodology.ts";
import { configSchema, withOptions } from "./_options.ts";

/** A row or a check that still says this is not finished. */
export const UNFINISHED = "TODO";

const FaultSchema = v.looseObject({
  name: v.string(),
  on: v.optional(v.picklist(["http", "stdio"])),
  only: v.optional(v.picklist(REVISIONS)),
  alsoFails: v.optional(v.array(v.string())),
  world: v.optional(v.looseObject({ auth: v.optional(v.boolean()) })),
});
const CheckSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    title: v.string(),
    why: v.string(),
    fix: v.string(),
    effect: v.optional(v.string()),
    faults: v.array(FaultSchema),
    cases: v.optional(v.array(v.looseObject({ name: v.string(), text: v.string() }))),
  }),
  v.forward(
    v.check(({ faults, cases = [] }) => faults.length + cases.length > 0, "has no fault"),
    ["faults"],
  ),
);

/** A check as far as its documentation goes, and where it was found. */
export type Described = v.InferOutput<typeof CheckSchema> & { readonly area: string; readonly file: string };
/** The catalogs that exist, by revision. */
export type Catalogs = ReadonlyMap<string, DocumentedCatalog>;

/** What should be on disk below `root`, by path, and what is wrong with its sources. */
export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

export async function generate(root: string): Promise<Generated> {
  const problems: string[] = [];
  const catalogs = readCatalogs(root, problems);
  const checks = await readChecks(root, problems);
  problems.push(...contradictions(catalogs, checks));
  return {
    files: new Map([
      ["src/checks/index.ts", index(checks)],
      ["catalogs/README.md", methodology(catalogs, checks)],
      ...interfaces(root, problems),
    ]),
    problems,
  };
}

/** The generated files that differ from what is on disk. */
export function stale(root: string, { files }: Generated): readonly string[] {
  return [...files].flatMap(([path, text]) => (readIfThere(join(root, path)) === text ? [] : [path]));
}

/** Writes the generated files that are stale and returns their paths. */
export function write(root: string, generated: Generated): readonly string[] {
  const paths = stale(root, generated);
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), generated.files.get(path) ?? "");
  }
  return paths;
}

if (import.meta.main) {
  const root = dirname(import.meta.dir);
  const generated = await generate(root);
  const comparing = process.argv.includes("--check");
  const paths = comparing ? stale(root, generated) : write(root, generated);
  for (const problem of generated.problems) console.error(problem);
  for (const path of paths) {
    if (comparing) console.error(`${path}: is stale; run \`bun run generate\``);
    else console.log(`${path}: written`);
  }
  const wrong = generated.problems.length + (comparing ? paths.length : 0);
  console.log(wrong === 0 ? "generate: everything agrees" : `generate: ${wrong} problems`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

// --- internal ---

/** What follows from the command line; the trees of tests have no README and none of this. */
function interfaces(root: string, problems: string[]): readonly (readonly [string, string])[] {
  const readme = readIfThere(join(root, "README.md"));
  if (readme === undefined) return [];
  return [
    ["catalogs/config.v1.schema.json", configSchema()],
    ["README.md", withOptions(readme, problems)],
  ];
}

function readCatalogs(root: string, problems: string[]): Catalogs {
  const found = new Map<string, DocumentedCatalog>();
  for (const revision of REVISIONS) {
    const path = `catalogs/${revision}.json`;
    const text = readIfThere(join(root, path));
    if (text === undefined) continue;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), CatalogSchema), text);
    if (parsed.success) found.set(revision, parsed.output);
    else problems.push(...parsed.issues.map((issue) => `${path}: ${v.getDotPath(issue) ?? ""} ${issue.message}`));
  }
  return found;
}

async function readChecks(root: string, problems: string[]): Promise<readonly Described[]> {
  const folder = join(root, "src/checks");
  if (!existsSync(folder)) return [];
  const found: Described[] = [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const area of entries.map((entry) => entry.name)) {
    for (const name of readdirSync(join(folder, area))) {
      if (!/^[^_].*\.ts$/.test(name) || name.endsWith(".test.ts")) continue;
      const file = `src/checks/${area}/${name}`;
      const module: { readonly default?: unknown } = await import(pathToFileURL(join(root, file)).href);
      const parsed = v.safeParse(CheckSchema, module.default);
      if (parsed.success) found.push({ ...parsed.output, area, file });
      else
        problems.push(
          ...parsed.issues.map((issue) => `${file}: default export: ${v.getDotPath(issue) ?? ""} ${issue.message}`),
        );
    }
  }
  const areas: readonly string[] = AREAS;
  return found.sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area) || (a.id < b.id ? -1 : 1));
}

function contradictions(catalogs: Catalogs, checks: readonly Described[]): readonly string[] {
  const found: string[] = [];
  const rows = [...catalogs].flatMap(([revision, catalog]) => catalog.map((row) => ({ ...row, revision })));
  const named = new Map<string, string>();
  for (const check of checks) {
    const complain = (what: string) => found.push(`${check.file}: ${what}`);
    const own = rows.filter((row) => row.id === check.id);
    if (!check.file.endsWith(`/${check.id}.ts`)) complain(`its id is ${check.id}; the file must be named after it`);
    if (own.length === 0) complain(`no catalog has a row ${check.id}`);
    if (check.faults.length === 0 && own.some((row) => row.informational !== true))
      complain("has cases in place of faults, but a row of it is not informational");
    for (const row of own) {
      if (row.area !== check.area)
        complain(`its row of ${row.revision} is in area ${row.area}, the file in ${check.area}`);
    }
    for (const [key, text] of Object.entries({ title: check.title, why: check.why, fix: check.fix })) {
      if (text.trim() === "" || text.startsWith(UNFINISHED)) complain(`its ${key} is not written yet`);
    }
    for (const { name, alsoFails = [] } of check.faults) {
      const other = named.get(name);
      if (other !== undefined) complain(`the fault "${name}" has the name of one of ${other}`);
      if (name.startsWith(UNFINISHED)) complain("a fault is not written yet");
      named.set(name, check.id);
      for (const id of alsoFails) {
        if (!rows.some((row) => row.id === id)) complain(`the fault "${name}" also fails ${id}, which no catalog has`);
      }
    }
  }
  for (const [revision, catalog] of catalogs) {
    for (const [at, row] of catalog.entries()) {
      if (catalog.findIndex((each) => each.id === row.id) !== at)
        found.push(`catalogs/${revision}.json: ${row.id} is there twice`);
      if (row.requirement.startsWith(UNFINISHED))
        found.push(`catalogs/${revision}.json: the requirement of ${row.id} is not written yet`);
      for (const [outcome, text] of Object.entries(row.verdicts)) {
        if (text.trim() === "" || text.startsWith(UNFINISHED))
          found.push(`catalogs/${revision}.json: when ${row.id} has the outcome ${outcome} is not written yet`);
      }
    }
  }
  return found;
}

function index(checks: readonly Described[]): string {
  const lines = checks.map((check) => ({ name: camel(check.id), from: check.file.replace("src/checks/", "./") }));
  return [
    "// Generated by scripts/generate.ts; do not edit.",
    'import type { Check } from "../model/check.ts";',
    ...lines.map(({ name, from }) => `import ${name} from "${from}";`),
    "",
    lines.length === 0 ? "export const checks: readonly Check[] = [];" : "export const checks: readonly Check[] = [",
    ...lines.map(({ name }) => `  ${name},`),
    ...(lines.length === 0 ? [] : ["];"]),
    "",
  ].join("\n");
}

function camel(id: string): string {
  return id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").replaceAll("\r\n", "\n") : undefined;
}
