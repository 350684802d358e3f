import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "./entry.ts";
import { tarGz } from "./tar.ts";
import { zip } from "./zip.ts";

const folder = mkdtempSync(join(tmpdir(), "archive-"));
afterAll(() => rmSync(folder, { recursive: true }));

const TIME = Date.UTC(2026, 10, 30, 12, 34, 56) / 1000;
const LONG = `top/${"folder/".repeat(20)}${"n".repeat(90)}`;
const ENTRIES: readonly Entry[] = [
  { path: "top/run", bytes: Buffer.from("#!/bin/sh\necho it runs\n"), runnable: true },
  { path: "top/empty", bytes: Buffer.alloc(0), runnable: false },
  { path: "top/block", bytes: Buffer.alloc(512, "b"), runnable: false },
  { path: LONG, bytes: Buffer.from("long"), runnable: false },
];

test.skipIf(Bun.which("tar") === null)("tar unpacks a .tar.gz, with modes and times", async () => {
  writeFileSync(join(folder, "a.tar.gz"), await tarGz(ENTRIES, TIME));
  const made = join(folder, "tar");
  run("mkdir", made);
  run("tar", "-xzf", join(folder, "a.tar.gz"), "-C", made);
  look(made);
  expect(statSync(join(made, "top/run")).mtimeMs).toBe(TIME * 1000);
  expect(run("tar", "-tvzf", join(folder, "a.tar.gz"))).toContain("-rwxr-xr-x root/root");
});

test("unzip unpacks a .zip, with modes", async () => {
  if (Bun.which("unzip") === null) return console.warn("SKIPPED: there is no unzip here");
  writeFileSync(join(folder, "a.zip"), await zip(ENTRIES, TIME));
  const made = join(folder, "zip");
  run("unzip", "-q", join(folder, "a.zip"), "-d", made);
  run("unzip", "-tq", join(folder, "a.zip"));
  look(made);
});

test("archives depend on nothing but their contents", async () => {
  const other = ENTRIES.toReversed();
  expect((await tarGz(other, TIME)).equals(await tarGz(ENTRIES, TIME))).toBe(true);
  expect((await zip(other, TIME)).equals(await zip(ENTRIES, TIME))).toBe(true);
});

test("a path that no archive could hold is refused", () => {
  expect(tarGz([{ path: `${"x".repeat(200)}/y`, bytes: Buffer.alloc(0), runnable: false }], TIME)).rejects.toThrow(
    "too long",
  );
});

// --- internal ---

function look(made: string): void {
  expect(run(join(made, "top/run"))).toBe("it runs\n");
  expect(statSync(join(made, "top/empty")).size).toBe(0);
  expect(readFileSync(join(made, "top/block"), "utf8")).toBe("b".repeat(512));
  expect(readFileSync(join(made, LONG), "utf8")).toBe("long");
}

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  return stdout.toString();
}
