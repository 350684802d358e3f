import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";
import { BUNDLE } from "./bundle.ts";
import { type Entry, entries, textEntry } from "./entry.ts";
import type { Identity } from "./identity.ts";
import { type Inside, packagesInside } from "./inside.ts";
import { installer } from "./installer.ts";
import { sbom } from "./sbom.ts";
import { tarGz } from "./tar.ts";
import { executable, type Target } from "./targets.ts";
import { zip } from "./zip.ts";

export interface Built {
  /** Holds the bundle, and targets/NAME/ with the executable of each target. */
  readonly folder: string;
  readonly targets: readonly Target[];
  /** The source files that are in the bundle. */
  readonly sources: readonly string[];
  readonly who: Identity;
  /** Is told of each archive. */
  readonly say: (line: string) => void;
}

/** Writes all files of a release to `folder`/release, and nothing else there; returns that folder. */
export async function pack({ folder, targets, sources, who, say }: Built): Promise<string> {
  const release = join(folder, "release");
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  const files: Record<string, Described> = {};
  const write = (name: string, bytes: Uint8Array): void => {
    writeFileSync(join(release, name), bytes);
    files[name] = { sha256: sha256(bytes), size: bytes.length };
  };
  const packages = packagesInside(sources);
  const common = [...bundleEntries(folder), ...legalEntries(packages)];
  const stem = `mcp-assay-${who.version}`;
  const small = [...common, launcher("mcp-assay")];
  write(`${stem}-bundle.tar.gz`, await tarGz(below(`${stem}-bundle`, small), who.time));
  const manifest: Record<string, unknown> = {};
  for (const target of targets) {
    const [name] = entries(executable(target), join(folder, "targets", target.name, executable(target)));
    if (name === undefined) throw new Error(`${target.name} has no executable`);
    const runnable = { ...name, runnable: true };
    const all = [...common, runnable, runtimeNotice(who), ...(target.os === "windows" ? [] : [launcher("launcher")])];
    const archive = `${stem}-${target.name}.${target.os === "windows" ? "zip" : "tar.gz"}`;
    const write_ = target.os === "windows" ? zip : tarGz;
    write(archive, await write_(below(`${stem}-${target.name}`, all), who.time));
    manifest[target.name] = {
      file: archive,
      ...files[archive],
      executable: { file: executable(target), sha256: sha256(runnable.bytes), size: runnable.bytes.length },
    };
    say(`${archive} has ${files[archive]?.size} bytes of ${runnable.bytes.length}`);
  }
  write("sbom.spdx.json", Buffer.from(sbom(who, packages)));
  const bundled = { file: `${stem}-bundle.tar.gz`, ...files[`${stem}-bundle.tar.gz`] };
  const { version, commit, bun } = who;
  write("manifest.json", json({ version, commit, bun, bundle: bundled, targets: manifest }));
  // The installer carries the checksums of its own release, so that it trusts nobody for them.
  write("install.sh", Buffer.from(installer(who, checksums(files))));
  writeFileSync(join(release, "checksums.txt"), checksums(files));
  return release;
}

// --- internal ---

interface Described {
  readonly sha256: string;
  readonly size: number;
}

const below = (folder: string, all: readonly Entry[]): readonly Entry[] =>
  all.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));

function bundleEntries(folder: string): readonly Entry[] {
  const parts = BUNDLE.flatMap((part) => entries(`bundle/${part}`, join(folder, part)));
  // Tells a runtime that the .js files are modules.
  return [...parts, textEntry("bundle/package.json", '{ "type": "module" }\n')];
}

function legalEntries(packages: readonly Inside[]): readonly Entry[] {
  return [
    ...entries("LICENSE", join(ROOT, "LICENSE")),
    ...entries("licences/CATALOGS", join(ROOT, "catalogs/LICENSE")),
    ...packages.map(({ name, version, text }) => textEntry(`licences/${name.replace("/", "+")}-${version}`, text)),
  ];
}

function runtimeNotice({ bun }: Identity): Entry {
  const text = readFileSync(join(ROOT, "scripts/release/bun-notice.md"), "utf8");
  return textEntry("licences/BUN.md", text.replace("@VERSION@", bun));
}

function launcher(path: string): Entry {
  const bytes = readFileSync(join(ROOT, "scripts/release/launcher.sh"));
  return { path, bytes, runnable: true };
}

/** As `sha256sum` writes them, and `sha256sum -c` reads them. */
function checksums(files: Readonly<Record<string, Described>>): string {
  const lines = Object.entries(files).map(([name, { sha256: sum }]) => `${sum}  ${name}\n`);
  return lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join("");
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
