import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../installed.ts";

/** A package whose code is in what we ship. */
export interface Inside {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as the package declares it. */
  readonly licence: string;
  /** The text of its licence. */
  readonly text: string;
  /** Of its archive, from bun.lock: `sha512-` and base64. */
  readonly integrity: string;
}

/** The packages that the source files of a bundle come from, by name. Throws for one that brings no licence. */
export function packagesInside(sources: readonly string[]): readonly Inside[] {
  const folders = new Set(sources.filter((path) => path.includes("/node_modules/")).map(packageFolder));
  const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
  return [...folders].map((folder) => inside(folder, lock)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

// --- internal ---

const PACKAGE = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ name: v.string(), version: v.string(), license: v.string() }),
);

/** The nearest folder above with a package.json that names a package: some have further ones inside. */
function packageFolder(path: string): string {
  let folder = dirname(path);
  while (!/\/node_modules\/(@[^/]+\/)?[^/]+$/.test(folder)) folder = dirname(folder);
  return folder;
}

function inside(folder: string, lock: string): Inside {
  const { name, version, license } = v.parse(PACKAGE, readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${name} ${version} brings no licence`);
  const line = lock.split("\n").find((each) => each.includes(`["${name}@${version}"`));
  const integrity = /"(sha512-[^"]+)"\],?$/.exec(line ?? "")?.[1];
  if (integrity === undefined) throw new Error(`${name} ${version} is not in bun.lock`);
  return { name, version, licence: license, text: readFileSync(join(folder, file), "utf8"), integrity };
}
