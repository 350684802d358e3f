import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const ROOT = dirname(import.meta.dir);

/** Installs the dependencies of bun.lock, unless that was done for this very bun.lock. Throws if it can't. */
export function ensureInstalled(): "installed" | "already installed" {
  const stamp = join(ROOT, "node_modules/.installed-for");
  const lock = createHash("sha256")
    .update(readFileSync(join(ROOT, "bun.lock")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return "already installed";
  const { exitCode } = Bun.spawnSync([process.execPath, "install", "--frozen-lockfile"], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  if (exitCode !== 0) throw new Error(`bun install --frozen-lockfile ended with code ${exitCode}`);
  writeFileSync(stamp, lock);
  return "installed";
}
