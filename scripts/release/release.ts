// Holds what `bun run build --all` left against what a release promises: bun run release --check
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../installed.ts";
import { run } from "./command.ts";
import { tryInstalled } from "./installed-release.ts";
import { defects } from "./macho.ts";
import { executable, hostTarget, TARGETS, type Target } from "./targets.ts";

const DIST = join(ROOT, "dist");
const RELEASE = join(DIST, "release");

const MANIFEST = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    version: v.string(),
    commit: v.string(),
    targets: v.record(v.string(), v.looseObject({ executable: v.looseObject({ sha256: v.string() }) })),
  }),
);

const steps: Readonly<Record<string, () => string | Promise<string>>> = {
  checksums: () =>
    run(["sh", "-c", `cd ${RELEASE} && sha256sum --check --quiet checksums.txt`]) || "all files are as written",
  reproducible,
  signatures,
  foreign,
  installed: () => tryInstalled(RELEASE, manifest().version),
};

if (import.meta.main) {
  const [what, ...only] = process.argv.slice(2);
  if (what !== "--check") {
    console.error(`bun run release --check [${Object.keys(steps).join(" | ")}]...`);
    process.exitCode = 2;
  } else process.exitCode = await check(only);
}

// --- internal ---

function manifest(): v.InferOutput<typeof MANIFEST> {
  return v.parse(MANIFEST, readFileSync(join(RELEASE, "manifest.json"), "utf8"));
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function program(target: Target, dist = DIST): string {
  return join(dist, "targets", target.name, executable(target));
}

async function check(only: readonly string[]): Promise<number> {
  for (const [name, step] of Object.entries(steps)) {
    if (only.length > 0 && !only.includes(name)) continue;
    try {
      console.log(`release: ${name}: ${await step()}`);
    } catch (error) {
      console.error(`release: ${name} failed: ${error instanceof Error ? error.message : error}`);
      return 1;
    }
  }
  return 0;
}

/** The same commit, checked out and built anew in another folder, gives the same bytes. */
function reproducible(): string {
  const folder = mkdtempSync(join(tmpdir(), "another-folder-"));
  try {
    const copy = join(folder, "checkout");
    run(["git", "clone", "--quiet", ROOT, copy]);
    const there = (...words: string[]): string => run(["sh", "-c", 'cd "$0" && exec "$@"', copy, ...words]);
    there("git", "checkout", "--quiet", manifest().commit);
    there(process.execPath, "install", "--frozen-lockfile");
    const chosen = TARGETS.flatMap(({ name }) => ["--target", name]);
    there(process.execPath, "scripts/build.ts", ...chosen, "--out", join(folder, "out"));
    for (const target of TARGETS) {
      const expected = manifest().targets[target.name]?.executable.sha256;
      const other = sha256(program(target, join(folder, "out")));
      if (other !== expected) throw new Error(`${target.name} is ${expected} here and ${other} there`);
    }
    run(["diff", "-r", join(DIST, "chunks"), join(folder, "out/chunks")]);
    return `${TARGETS.length} executables and the bundle have the same bytes when built in ${copy}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function signatures(): string {
  const found = TARGETS.filter(({ os }) => os === "darwin").map((target) => {
    const wrong = defects(readFileSync(program(target)));
    if (wrong.length > 0) throw new Error(`${target.name}: ${wrong.join("; ")}`);
    return target.name;
  });
  return `${found.join(" and ")} are signed over every page`;
}

/** Runs what an emulator can run; the rest runs on its own system in the release workflow. */
function foreign(): string {
  const libraries = "/usr/aarch64-linux-gnu";
  const qemu = Bun.which("qemu-aarch64");
  const host = `${hostTarget().name} says ${run([program(hostTarget()), "--version"])}`;
  if (qemu === null || !existsSync(libraries))
    return `${host}; SKIPPED: linux-arm64, without qemu-aarch64 and ${libraries}`;
  const arm = TARGETS.find(({ name }) => name === "linux-arm64");
  return arm === undefined
    ? host
    : `${host}; linux-arm64 says ${run([qemu, "-L", libraries, program(arm), "--version"])}`;
}
