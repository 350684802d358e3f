import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bare, imports } from "./_source.ts";
import { breaches } from "./layers.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

test("a tree that obeys has no breach", () => {
  const root = tree({
    "src/model/row.ts": `export const row = 1; // console.log is only mentioned`,
    "src/wire/http.ts": `import { row } from "../model/row.ts"; export const text = "process.env " + row;`,
    "src/wire/http.test.ts": `import "../cli/main.ts"; console.log(process.env);`,
    "src/revisions/index.ts": `import rows from "../../catalogs/2025-11-25.json"; export { rows };`,
    "src/cli/main.ts": `import "../wire/http.ts"; import "valibot"; console.log(process.env); process.exit();`,
  });
  expect(breaches(root)).toEqual([]);
});

test("static, dynamic, re-exported and type-only imports upwards are reported", () => {
  const root = tree({
    "src/model/a.ts": `import "../wire/http.ts";`,
    "src/model/b.ts": `export const load = () => import( /* late */ "../engine/run.ts");`,
    "src/model/c.ts": `export type { X } from "../facts/x.ts";`,
    "src/model/d.ts": `export type X = import('../text/x.ts').X;`,
    "src/model/e.ts": "export const load = (name: string) => import(`../x.ts`);",
    "src/engine/run.ts": `import { checks } from "../checks/index.ts";`,
    "src/text/x.ts": `import rows from "../../catalogs/2025-11-25.json";`,
  });
  expect(breaches(root)).toEqual([
    "src/engine/run.ts: engine may not import checks (../checks/index.ts)",
    "src/model/a.ts: model may not import wire (../wire/http.ts)",
    "src/model/b.ts: model may not import engine (../engine/run.ts)",
    "src/model/c.ts: model may not import facts (../facts/x.ts)",
    "src/model/d.ts: model may not import text (../text/x.ts)",
    "src/model/e.ts: imports a computed name",
    "src/text/x.ts: imports catalogs/2025-11-25.json, which is outside src",
  ]);
});

test("printing, the environment, exits, fetch, readline and names that say nothing are reported", () => {
  const root = tree({
    "src/engine/run.ts": `console.error(1); process.exit(1); export const e = process.env.X; await fetch("x");`,
    "src/wire/line.ts": `import { createInterface } from "node:readline/promises"; import { Agent } from "undici";`,
    "src/grade/score.ts": `import { Client } from "@modelcontextprotocol/client";`,
    "src/odd/x.ts": "",
    "src/cli/utils/x.ts": "",
  });
  expect(breaches(root)).toEqual([
    "src/cli/utils: name the folder after the noun it holds, not utils",
    "src/engine/run.ts: uses console; only cli, mcp, launcher, main.ts may",
    "src/engine/run.ts: uses process.exit; only cli, mcp, launcher, main.ts may",
    "src/engine/run.ts: uses process.env; only cli, mcp, launcher, main.ts, library may",
    "src/engine/run.ts: calls fetch; the wire is node:http, node:net and node:tls",
    "src/grade/score.ts: imports @modelcontextprotocol/client, which belongs to mcp",
    "src/odd/x.ts: odd has no row in the table of scripts/layers.ts",
    "src/wire/line.ts: imports node:readline/promises, which Bun and Node do differently",
    "src/wire/line.ts: imports undici, which Bun and Node do differently",
  ]);
});

test("strings, templates, comments and regular expressions are blanked, and nothing else", () => {
  const code = `a / b / c; \`x \${ {a: \`y \${z}\`} } w\`; /['"\`/*]/.test(q); 'it\\'s' // import 'no'\nimport "yes";`;
  expect(bare(code)).toBe(
    `a / b / c; \`  \${ {a: \`  \${z}\`} }  \`; /       /.test(q); '     '${" ".repeat(15)}\nimport "   ";`,
  );
  expect(imports(code).map((each) => each.specifier)).toEqual(["yes"]);
});

test("this repository obeys its own table", () => {
  expect(breaches(dirname(import.meta.dir))).toEqual([]);
});

function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "layers-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
