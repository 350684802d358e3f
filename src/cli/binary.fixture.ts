import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { validDocument } from "../report/_valid.ts";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "mcp-assay.exe" : "mcp-assay");

let known: string | undefined;

/** The compiled binary, built here if a source is newer. Tests of the command line run what users run, and fast. */
export function binary(): string {
  if (known === undefined) {
    if (isStale()) alone(() => isStale() && build());
    known = BINARY;
  }
  return known;
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What to write to its stdin. Default: none. */
  readonly input?: string;
  readonly started?: (child: ChildProcess) => void;
}

/** Runs the command line in a process of its own, as a user does. Every JSON report is held against its schema. */
export function assay(args: readonly string[], { cwd, env, input, started }: Running = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary(), [...args], {
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      ...(cwd === undefined ? {} : { cwd }),
    });
    let out = "";
    let err = "";
    child.stdout?.on("data", (bytes) => {
      out += bytes;
    });
    child.stderr?.on("data", (bytes) => {
      err += bytes;
    });
    child.on("close", (code) => {
      try {
        if (/^\{\n {2}"schemaVersion": "1",\n {2}"specVersion"/.test(out)) {
          const bare = validDocument(out).tests.filter(({ passed, evidence }) => !passed && evidence.length === 0);
          if (bare.length > 0) throw new Error(`no exchange shows ${bare.map(({ id }) => id).join(", ")}`);
        }
        resolve({ code, out, err });
      } catch (error) {
        reject(error);
      }
    });
    child.stdin?.end(input);
    started?.(child);
  });
}

// --- internal ---

const isStale = (): boolean => mtime(BINARY) < newest();

function build(): void {
  console.warn("building dist/mcp-assay for the tests of the command line");
  const { status, stderr, stdout } = spawnSync(process.execPath, ["scripts/build.ts"], { cwd: ROOT });
  if (status !== 0) throw new Error(`the build ended with code ${status}\n${stdout}${stderr}`);
}

/** Files of tests run side by side, and only one may build. */
function alone(work: () => unknown): void {
  const lock = join(ROOT, "dist", ".building");
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      // Left behind by one that was killed.
      if (Date.now() - mtime(lock) > 300_000) rmSync(lock, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

const mtime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newest(): number {
  const sources = ["src", "catalogs"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(test|fixture)\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return Math.max(...[...sources, join(ROOT, "package.json"), join(ROOT, "scripts/build.ts")].map(mtime));
}
