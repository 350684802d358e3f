import { spawnSync } from "node:child_process";

/** Major, minor, patch. */
export type Version = readonly [number, number, number];

/** The first three numbers with dots in a text such as `oam 0.18.0` or `v20.20.2`. */
export function versionIn(text: string): Version | undefined {
  const found = /(?<![\d.])(\d+)\.(\d+)\.(\d+)/.exec(text);
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
}

export function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The version that a program says it has, or why it can't be used at all. */
export function ask(program: string): Version | string {
  const { error, status, signal, stdout } = spawnSync(program, ["--version"], {
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
    timeout: PATIENCE,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  if (error !== undefined) return reasonOf(error);
  if (status !== 0) return `cannot be run (--version ended with ${signal ?? `code ${status}`})`;
  return versionIn(stdout) ?? "does not tell its version";
}

// --- internal ---

const PATIENCE = 10_000;

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "does not exist";
  if (error.code === "ETIMEDOUT") return `does not answer to --version within ${PATIENCE / 1000} s`;
  return `cannot be run (${error.code ?? error.message})`;
}
