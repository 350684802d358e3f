import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command.ts";
import { defines, type Identity } from "./identity.ts";
import { defects, signAdHoc } from "./macho.ts";
import { executable, type Target } from "./targets.ts";

export const ENTRY = "src/main.ts";

/**
 * Compiles the executable of a target into `folder` and returns its path. It is split, so that a verb loads what it needs
 * and nothing else. The maps go to `folder`/maps: they are for reading crash reports and are not shipped. Equal sources
 * give equal bytes, whatever the folder.
 */
export function compile(target: Target, folder: string, who: Identity): string {
  const file = compileAs(target.bun, target, folder, who);
  if (target.os === "darwin") sign(file);
  return file;
}

/**
 * Throws unless Bun's template for CPUs without AVX2 still gives the very same bytes: then one executable serves all,
 * and no installer needs to tell the two apart.
 */
export function assertBaseline(target: Target, folder: string, who: Identity): void {
  if (target.cpu !== "x64") return;
  const plain = readFileSync(compileAs(target.bun, target, join(folder, "plain"), who));
  const baseline = readFileSync(compileAs(`${target.bun}-baseline`, target, join(folder, "baseline"), who));
  if (plain.equals(baseline)) return;
  throw new Error(`${target.name}: Bun ${who.bun} has another template for CPUs without AVX2; ship both from now on`);
}

// --- internal ---

function compileAs(bun: string, target: Target, folder: string, who: Identity): string {
  const file = join(folder, executable(target));
  const maps = join(folder, "maps");
  for (const old of [file, maps]) rmSync(old, { recursive: true, force: true });
  mkdirSync(maps, { recursive: true });
  run([
    ...[process.execPath, "build", "--compile", `--target=${bun}`, "--format", "esm", "--bytecode", "--minify"],
    ...[
      "--splitting",
      "--sourcemap",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "--reject-unresolved",
    ],
    ...[...defines(who), "--outfile", file, ENTRY],
  ]);
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".map")) renameSync(join(folder, name), join(maps, name));
  }
  return file;
}

/** Bun 1.4.5 leaves the template's own signature on macOS x64, which no longer fits. */
function sign(file: string): void {
  const made = readFileSync(file);
  if (defects(made).length === 0) return;
  const signed = signAdHoc(made, "mcp-assay");
  const left = defects(signed);
  if (left.length > 0) throw new Error(`${file} could not be signed: ${left.join("; ")}`);
  writeFileSync(file, signed);
}
