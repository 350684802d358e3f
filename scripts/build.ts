// Compiles dist/mcp-assay for this machine and the bundle for Node in dist/node, and runs both.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "./installed.ts";

const ENTRY = "src/main.ts";
/** The basename goes into the binary, so that another one would be another binary. */
const NAME = process.platform === "win32" ? "mcp-assay.exe" : "mcp-assay";

if (import.meta.main) {
  try {
    build();
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

// --- internal ---

function build(): void {
  if (!existsSync(join(ROOT, ENTRY))) throw new Error(`${ENTRY} does not exist`);
  const version = versionOf(readFileSync(join(ROOT, "package.json"), "utf8"));
  const defines = Object.entries({
    "process.env.NODE_ENV": "production",
    BUILD_VERSION: version,
    BUILD_COMMIT: commit(),
  }).flatMap(([name, value]) => ["--define", `${name}=${JSON.stringify(value)}`]);
  compile(defines);
  verify("the binary", [join(ROOT, "dist", NAME), "--version"], version);
  bundle(defines);
  const node = Bun.which("node");
  if (node === null) console.log("build: there is no node here to run dist/node/main.js");
  else verify("the bundle", [node, join(ROOT, "dist/node/main.js"), "--version"], version);
}

function compile(defines: readonly string[]): void {
  rmSync(join(ROOT, "dist", NAME), { force: true });
  run([
    ...[process.execPath, "build", "--compile", "--format", "esm", "--bytecode", "--minify", "--sourcemap"],
    ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig", "--reject-unresolved"],
    ...[...defines, "--outfile", `dist/${NAME}`, ENTRY],
  ]);
  // The map is for reading crash reports and is not shipped.
  mkdirSync(join(ROOT, "dist/maps"), { recursive: true });
  renameSync(join(ROOT, `dist/${NAME}.map`), join(ROOT, `dist/maps/${NAME}.map`));
  if (process.platform !== "darwin" || process.arch !== "x64") return;
  // Bun 1.4.5 leaves a stale signature on this one target.
  run(["codesign", "--remove-signature", `dist/${NAME}`]);
  run(["codesign", "--force", "--sign", "-", `dist/${NAME}`]);
}

function bundle(defines: readonly string[]): void {
  rmSync(join(ROOT, "dist/node"), { recursive: true, force: true });
  run([process.execPath, "build", "--target=node", "--splitting", ...defines, "--outdir", "dist/node", ENTRY]);
  const main = join(ROOT, "dist/node/main.js");
  const code = readFileSync(main, "utf8").replace(/^#!.*\n/, "");
  // A shebang of bun in the entry makes Bun bundle for itself, whatever the target.
  if (code.startsWith("// @bun")) throw new Error(`${ENTRY} must not start with a shebang of bun`);
  writeFileSync(main, `#!/usr/bin/env node\n${code}`);
  chmodSync(main, 0o755);
}

/** Bun can leave a binary that can't start and still exit 0: believe only what ran. */
function verify(what: string, command: readonly string[], version: string): void {
  const said = run(command);
  if (!said.split(/[^\w.+-]+/).includes(version))
    throw new Error(`${what} says ${JSON.stringify(said)}, not ${version}`);
  console.log(`build: ${what} says ${said}`);
}

function commit(): string {
  const git = Bun.which("git");
  if (git === null) return "unknown";
  const { exitCode, stdout } = Bun.spawnSync([git, "rev-parse", "--short", "HEAD"], { cwd: ROOT });
  return exitCode === 0 ? stdout.toString().trim() : "unknown";
}

function versionOf(text: string): string {
  return v.parse(v.pipe(v.string(), v.parseJson(), v.looseObject({ version: v.string() })), text).version;
}

function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: ROOT, stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with code ${exitCode}\n${stdout}${stderr}`);
  return stdout.toString().trim();
}
