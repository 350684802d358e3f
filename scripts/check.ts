// All that must hold before a merge, from a clean checkout on; the last line is that of the tests.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, ROOT } from "./installed.ts";
import { closing, runTests } from "./test.ts";

/** Resolves to what there is to say, and throws what went wrong. */
type Step = () => string | undefined | Promise<string | undefined>;

const BINARY = join(ROOT, "dist", process.platform === "win32" ? "mcp-assay.exe" : "mcp-assay");
let tally = "";

const steps: Readonly<Record<string, Step>> = {
  install: ensureInstalled,
  typecheck: () => script("node_modules/typescript/bin/tsc", "--noEmit"),
  lint: () => script("node_modules/@biomejs/biome/bin/biome", "check", "."),
  layers: () => script("scripts/layers.ts"),
  generated: () => script("scripts/generate.ts", "--check"),
  // Before the tests: those of the command line run the binary.
  build: () => script("scripts/build.ts"),
  test: async () => {
    const result = await runTests([]);
    tally = closing(result);
    if (!result.ok) throw new Error(tally);
    return tally;
  },
  binary: () => {
    if (!existsSync(BINARY)) throw new Error("the build left no binary");
    return tried([BINARY]);
  },
  node: () => {
    const node = Bun.which("node");
    return node === null ? "there is no node here" : tried([node, join(ROOT, "dist/launcher.mjs")]);
  },
};

if (import.meta.main) {
  process.exitCode = await check();
}

// --- internal ---

async function check(): Promise<number> {
  for (const [name, step] of Object.entries(steps)) {
    const start = performance.now();
    const took = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    console.log(`check: ${name} ...`);
    try {
      const said = await step();
      console.log(`check: ${name} ok, ${took()}${said === undefined ? "" : ` (${said})`}`);
    } catch (error) {
      console.log(`check: stopped at ${name} after ${took()}: ${error instanceof Error ? error.message : error}`);
      if (name === "test") console.log(tally);
      return 1;
    }
  }
  console.log(tally);
  return 0;
}

/** Runs one of our scripts, or a package's, with this very bun: there may be no other on PATH. */
function script(file: string, ...args: readonly string[]): undefined {
  const { exitCode, signalCode } = Bun.spawnSync([process.execPath, file, ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  if (exitCode !== 0) throw new Error(`${file} ended with ${signalCode ?? `code ${exitCode}`}`);
}

/** What is built grades the reference server as the sources do, and catches faults on both transports. */
function tried(program: readonly string[]): string {
  const { grade, score } = JSON.parse(run([...program, "demo", "--format", "json"]));
  if (grade !== "A" || score !== 100) throw new Error(`demo gave ${grade} with ${score} in place of A with 100`);
  return run([...program, "selftest", "--only", "transport-post,stdio-unknown-method-recovers,tools-list"]).trim();
}

/** Runs the binary quietly; what it said is shown only if it fails. */
function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: ROOT, stdin: "ignore", timeout: 120_000 });
  if (exitCode === 0) return stdout.toString() + stderr.toString();
  process.stdout.write(stdout);
  process.stdout.write(stderr);
  throw new Error(`${command.slice(1).join(" ")} of the binary ended with code ${exitCode}`);
}
