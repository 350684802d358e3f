// What the container images hold beside their base: bun scripts/release/image.ts, after bun run build --all.
import { chmodSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";
import { executable, targetNamed } from "./targets.ts";

/** By what Docker calls a CPU; glibc, since that is what the bases have. */
const SYSTEMS = { amd64: "linux-x64", arm64: "linux-arm64" } as const;

/** Lays out the files of one CPU's image in `folder`, as they lie in its root. */
export function layOut(program: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const [bin, doc, work] = ["usr/local/bin", "usr/share/doc/mcp-assay", "work"].map((path) => join(folder, path));
  if (bin === undefined || doc === undefined || work === undefined) return;
  for (const each of [bin, doc, work]) mkdirSync(each, { recursive: true });
  cpSync(program, join(bin, "mcp-assay"));
  chmodSync(join(bin, "mcp-assay"), 0o755);
  for (const file of ["LICENSE", "scripts/release/bun-notice.md"])
    cpSync(join(ROOT, file), join(doc, file.split("/").at(-1) ?? file));
}

if (import.meta.main) {
  const dist = join(ROOT, "dist");
  for (const [cpu, name] of Object.entries(SYSTEMS)) {
    layOut(join(dist, "targets", name, executable(targetNamed(name))), join(dist, "docker", cpu));
  }
}
