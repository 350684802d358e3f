import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { imports } from "../_source.ts";
import { ROOT } from "../installed.ts";
import { run } from "./command.ts";

/**
 * Writes the type declarations of `entry`, a file below src, to `folder`: index.d.ts and whatever it needs, as they lie in
 * src, so that a reader finds the way back. Imports end in .js, which every resolver of TypeScript knows.
 */
export function declarations(entry: string, folder: string): void {
  const scratch = mkdtempSync(join(dirname(folder), ".types-"));
  try {
    const config = join(scratch, "tsconfig.json");
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(ROOT, "tsconfig.json"),
        compilerOptions: {
          ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
          ...{ outDir: join(scratch, "out"), rootDir: ROOT, typeRoots: [join(ROOT, "node_modules")] },
        },
        files: [join(ROOT, entry)],
        include: [],
      }),
    );
    run([process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config]);
    const out = join(scratch, "out/src");
    for (const file of reachable(join(out, `${entry.replace(/^src\//, "").replace(/\.ts$/, "")}.d.ts`))) {
      const to = join(folder, relative(out, file));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, readFileSync(file, "utf8").replace(SPECIFIER, '$1"$2.js"'));
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

// --- internal ---

const SPECIFIER = /(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g;

/** The file and all that it imports, directly or not. */
function reachable(first: string): readonly string[] {
  const found = [first];
  for (const file of found) {
    for (const { specifier } of imports(readFileSync(file, "utf8"))) {
      if (specifier === undefined || !specifier.startsWith(".")) continue;
      const path = join(dirname(file), specifier.replace(/\.ts$/, ".d.ts"));
      if (!found.includes(path)) found.push(path);
    }
  }
  return found;
}
