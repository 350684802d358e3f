import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import schema from "../../catalogs/report.v1.schema.json" with { type: "json" };
import { binary } from "../cli/binary.fixture.ts";
import { serveReference } from "../index.ts";

const ROOT = join(import.meta.dir, "../..");
const project = mkdtempSync(join(tmpdir(), "assay-package-"));
const inside = join(project, "node_modules/mcp-assay");
const reference = await serveReference();
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await reference.close();
});

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}
/** The same while our own server answers. */
async function runBeside(...command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: project, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed\n${out}${err}`);
  return out;
}

beforeAll(() => {
  // Whatever is in dist/ must be of these sources.
  binary();
  const tarball = spawnSync("npm", ["pack", "--silent", "--pack-destination", project], {
    cwd: ROOT,
    encoding: "utf8",
  });
  writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
  run(
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--silent",
    join(project, tarball.stdout.trim()),
  );
}, 120_000);

const codeOf = (file: string): string => readFileSync(join(inside, "dist", file), "utf8");

/** The file and all that it loads at once. */
function loadedBy(entry: string): readonly string[] {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const [, chunk = ""] of codeOf(file).matchAll(/(?:from|import) ?"\.\/((?:chunks\/)?[\w.-]+\.js)"/g)) {
      loaded.add(file.startsWith("chunks/") && !chunk.startsWith("chunks/") ? `chunks/${chunk}` : chunk);
    }
  }
  return [...loaded];
}

/** The example in README.md, asking our own server. */
const example = (): string => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, code = ""] = /## Use it from a program[\s\S]*?```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(code).toContain("https://example.com/mcp");
  return code.replace("https://example.com/mcp", reference.url);
};

const runtimes = [["bun", process.execPath] as const, ["node", Bun.which("node")] as const];
for (const [name, path] of runtimes) {
  if (path === null) console.warn(`SKIPPED: there is no ${name} here to run the example of README.md`);
  test.skipIf(path === null)(
    `the example of README.md runs under ${name}`,
    async () => {
      writeFileSync(join(project, "example.mjs"), example());
      const out = await runBeside(path ?? "", "example.mjs");
      expect(out).toContain("pass tools-list\n");
      expect(out).toEndWith("Grade: A (100%)\n");
    },
    60_000,
  );
}

test("importing has no side effect, and loads neither the command line nor an SDK", () => {
  const probe = `
    const before = { env: JSON.stringify(process.env), exit: process.listenerCount("exit"), handles: process._getActiveHandles?.().length };
    const library = await import("mcp-assay");
    const after = { env: JSON.stringify(process.env), exit: process.listenerCount("exit"), handles: process._getActiveHandles?.().length };
    if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error(JSON.stringify([before, after]));
    console.log(Object.keys(library).sort().join(" "));`;
  writeFileSync(join(project, "import.mjs"), probe);
  const names = run(Bun.which("node") ?? process.execPath, "import.mjs")
    .trim()
    .split(" ");
  expect(names).toEqual([
    ...["DiffError", "SUPPORTED_SPEC_VERSIONS", "TEST_DEFINITIONS", "benchmarkServer", "computeGrade", "computeScore"],
    ...["diagnoseServer", "diffReports", "explainTest", "formatRun", "getTestDefinitions", "listFaults", "listTests"],
    ...["runComplianceSuite", "runSuite", "selftest", "serveReference", "specBaseFor"],
  ]);
  for (const file of loadedBy("library.js")) {
    expect(codeOf(file), file).not.toMatch(/@modelcontextprotocol\/|consola|process\.argv/);
  }
});

test("the SDK is loaded by the one verb that needs it", () => {
  const sdk = (file: string) => /\bMcpServer = class\b/.test(codeOf(file));
  expect(loadedBy("index.js").filter(sdk)).toEqual([]);
  const chunks = readdirSync(join(inside, "dist/chunks")).map((file) => `chunks/${file}`);
  expect(chunks.filter(sdk).length).toBe(1);
  // Of the verbs, mcp alone asks for it, and does so when it runs.
  for (const verb of ["diff", "test", "explain", "serve", "mcp"]) {
    for (const chunk of chunks.filter((file) => file.startsWith(`chunks/${verb}-`))) {
      expect(loadedBy(chunk).filter(sdk), verb).toEqual([]);
    }
  }
});

test("its types fit strict programs, and the schema is exported", () => {
  writeFileSync(
    join(project, "typed.ts"),
    `import { runComplianceSuite, getTestDefinitions, type ReportDocument, type TestDocument } from "mcp-assay";
     import schema from "mcp-assay/schemas/report.v1.json" with { type: "json" };
     export const report: Promise<ReportDocument> = runComplianceSuite(
       { type: "stdio", command: "node", args: ["server.js"] },
       { retries: 1, signal: AbortSignal.timeout(1000), onTestComplete: (result: TestDocument) => void result.evidence },
     );
     // @ts-expect-error there is no such revision
     getTestDefinitions("2020-01-01");
     export const title: string = schema.title;`,
  );
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, module: "nodenext", target: "es2023" },
    ...{ lib: ["es2023", "dom"], types: [], resolveJsonModule: true, skipDefaultLibCheck: true },
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
  run(process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
  expect(JSON.parse(readFileSync(join(inside, "catalogs/report.v1.schema.json"), "utf8"))).toEqual(schema);
}, 60_000);

test("the package has what it needs and nothing else", () => {
  expect(readdirSync(inside).sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "catalogs",
    "dist",
    "package.json",
  ]);
  expect(readdirSync(join(inside, "dist")).sort()).toEqual([
    "chunks",
    "index.js",
    "launcher.mjs",
    "library.js",
    "types",
  ]);
});
