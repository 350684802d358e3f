import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../installed.ts";
import { run } from "./command.ts";
import { ENTRY } from "./compile.ts";
import { declarations } from "./declarations.ts";
import { defines, type Identity } from "./identity.ts";

/** The parts of the bundle, as they lie in dist/ and in the npm package. */
export const BUNDLE = ["index.js", "launcher.mjs", "chunks"] as const;

/** What only the npm package has: the library, which shares the chunks, and its types. */
export const LIBRARY = ["library.js", "types"] as const;

/**
 * Builds the bundle for Node and other runtimes into `folder`: index.js is the program itself, launcher.mjs the npm bin
 * that chooses a runtime for it, chunks/ what index.js loads when it is needed (splitting saves a third of the start);
 * library.js is what programs import, with its declarations in types/.
 * Returns the paths of all source files that are inside.
 */
export function bundle(folder: string, who: Identity): readonly string[] {
  mkdirSync(folder, { recursive: true });
  for (const part of [...BUNDLE, ...LIBRARY]) rmSync(join(folder, part), { recursive: true, force: true });
  const scratch = mkdtempSync(join(folder, ".bundle-"));
  try {
    const build = [process.execPath, "build", "--target=node", ...defines(who), "--outdir", scratch];
    const meta = join(scratch, "meta.json");
    run([
      ...[...build, "--splitting", `--metafile=${meta}`],
      ...["--entry-naming=[name].js", "--chunk-naming=chunks/[name]-[hash].[ext]", ENTRY, LIBRARY_ENTRY],
    ]);
    // No chunk imports an entry, so that these can have other names.
    renameSync(join(scratch, "index.js"), join(scratch, "library.js"));
    renameSync(join(scratch, "main.js"), join(scratch, "index.js"));
    declarations(LIBRARY_ENTRY, join(scratch, "types"));
    run([...build, "--entry-naming=launcher.mjs", "src/launcher/main.ts"]);
    for (const part of ["index.js", "launcher.mjs"]) makeRunnable(join(scratch, part));
    for (const part of [...BUNDLE, ...LIBRARY]) renameSync(join(scratch, part), join(folder, part));
    return Object.keys(v.parse(META, readFileSync(meta, "utf8")).inputs).map((path) => join(ROOT, path));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

// --- internal ---

const LIBRARY_ENTRY = "src/index.ts";

const META = v.pipe(v.string(), v.parseJson(), v.looseObject({ inputs: v.record(v.string(), v.unknown()) }));

function makeRunnable(file: string): void {
  const code = readFileSync(file, "utf8").replace(/^#!.*\n/, "");
  // A shebang of bun in the entry makes Bun bundle for itself, whatever the target.
  if (code.startsWith("// @bun")) throw new Error(`the source of ${file} must not start with a shebang of bun`);
  writeFileSync(file, `#!/usr/bin/env node\n${code}`);
  chmodSync(file, 0o755);
}
