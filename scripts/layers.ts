// Which folder of src may import which, and what only some of them may touch.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { bare, imports } from "./_source.ts";

/** For each folder (or file) of src, the folders it may import besides itself. */
export const LAYERS: Readonly<Record<string, readonly string[] | "all">> = {
  "main.ts": "all",
  "index.ts": "all",
  cli: "all",
  mcp: ["library", "report", "grade", "text", "model", "about.ts", "catalogs"],
  library: [
    "report",
    "grade",
    "diagnose",
    "benchmark",
    "matrix",
    "engine",
    "checks",
    "reference",
    "revisions",
    "wire",
    "text",
    "model",
    "about.ts",
  ],
  "about.ts": ["package.json"],
  report: ["grade", "text", "model"],
  grade: ["model"],
  diagnose: ["engine", "facts", "revisions", "wire", "text", "model"],
  benchmark: ["engine", "facts", "revisions", "wire", "schema", "text", "model"],
  engine: ["facts", "revisions", "wire", "text", "schema", "model"],
  checks: ["facts", "text", "schema", "model"],
  facts: ["text", "schema", "model"],
  reference: ["wire", "text", "schema", "model"],
  matrix: ["engine", "checks", "reference", "revisions", "model"],
  revisions: ["model", "catalogs"],
  wire: ["model"],
  text: ["model"],
  schema: ["model"],
  model: [],
  launcher: [],
};

/** Packages that belong to one layer. */
const PACKAGES: readonly (readonly [name: RegExp, layers: readonly string[]])[] = [
  [/^@modelcontextprotocol\//, ["mcp"]],
];
/** Layers that talk to people and to the process. */
const SPEAKING = ["cli", "mcp", "launcher", "main.ts"];
/** Those, and the library on behalf of whoever calls it, may read the environment: a server's process needs some of it. */
const READING = [...SPEAKING, "library"];
/** Layers on the way to the wire: distribution differs between runtimes there. */
const WIRED = ["wire", "checks", "engine", "diagnose", "benchmark"];
const UNNAMED = ["utils", "helpers", "common"];

/** What tests share is test code, too, whatever its file is called; nothing else may import bun:test. */
const isTest = (code: string): boolean => /from "bun:test";/.test(code);

/** Every breach below `root`/src as `file: reason`. */
export function breaches(root: string): readonly string[] {
  const src = join(root, "src");
  if (!existsSync(src)) return [`src: is missing below ${root}`];
  const entries = readdirSync(src, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name)
      .slice(src.length + 1)
      .replaceAll("\\", "/"),
    name: entry.name,
    folder: entry.isDirectory(),
  }));
  const folders = entries
    .filter((entry) => entry.folder && UNNAMED.includes(entry.name))
    .map((entry) => `src/${entry.path}: name the folder after the noun it holds, not ${entry.name}`);
  const files = entries
    .filter((entry) => !entry.folder && /\.ts$/.test(entry.name) && !/\.(?:test|fixture)\.ts$/.test(entry.name))
    .map((entry) => entry.path)
    .sort();
  return [
    ...folders,
    ...files.flatMap((file) => {
      const code = readFileSync(join(src, file), "utf8");
      return isTest(code) ? [] : breachesOf(file, code).map((why) => `src/${file}: ${why}`);
    }),
  ];
}

if (import.meta.main) {
  const found = breaches(dirname(import.meta.dir));
  for (const line of found) console.error(line);
  console.log(found.length === 0 ? "layers: no breach" : `layers: ${found.length} breaches`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

// --- internal ---

function breachesOf(file: string, text: string): readonly string[] {
  const layer = layerOf(file);
  const code = bare(text);
  if (LAYERS[layer] === undefined) return [`${layer} has no row in the table of scripts/layers.ts`];
  const found = imports(text, code).flatMap(({ specifier }) => {
    // The launcher's whole task is to load a file beside it, once it has chosen how.
    if (specifier === undefined && layer === "launcher") return [];
    const why = specifier === undefined ? "imports a computed name" : importBreach(file, layer, specifier);
    return why === undefined ? [] : [why];
  });
  for (const [use] of code.matchAll(/(?<![.\w$])(?:console\.|process\.(?:exit|exitCode|env)\b)/g)) {
    const allowed = use === "process.env" ? READING : SPEAKING;
    if (!allowed.includes(layer)) found.push(`uses ${use.replace(/\.$/, "")}; only ${allowed.join(", ")} may`);
  }
  if (WIRED.includes(layer) && /(?:(?<![.\w$])|globalThis\.)fetch\s*\(/.test(code)) {
    found.push("calls fetch; the wire is node:http, node:net and node:tls");
  }
  return [...new Set(found)];
}

function importBreach(file: string, layer: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return packageBreach(layer, specifier);
  const target = posix.join("src", posix.dirname(file), specifier);
  const allowed = LAYERS[layer] ?? [];
  if (allowed === "all") return undefined;
  if (!target.startsWith("src/")) {
    const folder = target.split("/")[0] ?? target;
    return allowed.includes(folder) && target.endsWith(".json") ? undefined : `imports ${target}, which is outside src`;
  }
  const other = layerOf(target.slice("src/".length));
  if (other === layer || allowed.includes(other)) return undefined;
  return `${layer} may not import ${other} (${specifier})`;
}

function packageBreach(layer: string, specifier: string): string | undefined {
  if (WIRED.includes(layer) && /^(undici|(node:)?readline)(\/|$)/.test(specifier)) {
    return `imports ${specifier}, which Bun and Node do differently`;
  }
  const reserved = PACKAGES.find(([name]) => name.test(specifier))?.[1];
  if (reserved === undefined || reserved.includes(layer)) return undefined;
  return `imports ${specifier}, which belongs to ${reserved.join(", ")}`;
}

function layerOf(path: string): string {
  return path.split("/")[0] ?? path;
}
