import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay, binary } from "./binary.fixture.ts";
import { watchTree } from "./watch-tree.ts";

const made: string[] = [];
afterAll(() => made.forEach((path) => void rmSync(path, { recursive: true, force: true })));
beforeAll(() => void binary(), 120_000);

function folder(files: Readonly<Record<string, string>>): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "mcp-assay-watch-")));
  made.push(path);
  for (const [name, text] of Object.entries(files)) write(path, name, text);
  return path;
}
function write(root: string, name: string, text: string): void {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), text);
}

describe("a folder that is watched", () => {
  const never = new AbortController().signal;
  test("tells changes in it and in new folders, and none of what builds and editors leave", async () => {
    const root = folder({ "src/a.ts": "1", "dist/server.js": "1", "dist/deep/x.js": "1", "node_modules/p/i.js": "1" });
    const tree = watchTree(root, { needed: [join(root, "dist/server.js")], ours: ["report.json"] });
    for (const name of [
      "node_modules/p/i.js",
      "dist/deep/x.js",
      "x.log",
      "src/.a.ts.swp",
      "src/a.ts~",
      "report.json",
    ]) {
      write(root, name, "2");
    }
    write(root, "src/a.ts", "22");
    write(root, "dist/server.js", "22");
    write(root, "src/made-and-gone", "1");
    rmSync(join(root, "src/made-and-gone"));
    write(root, "src/new/b.ts", "1");
    await tree.next(150, never);
    expect(tree.take()).toEqual(["dist/server.js", "src/a.ts", "src/new/b.ts"]);
    write(root, "src/new/b.ts", "22");
    rmSync(join(root, "src/a.ts"));
    await tree.next(150, never);
    expect(tree.take()).toEqual(["src/a.ts", "src/new/b.ts"]);
    expect(tree.take()).toEqual([]);
    tree.close();
  });

  test("tells nothing of a file that we write to by a descriptor, as a redirected stdout", async () => {
    const root = folder({ a: "1" });
    const out = openSync(join(root, "report.html"), "w");
    const tree = watchTree(root, { needed: [], ours: [], streams: [out, 9999] });
    writeSync(out, "<html>");
    write(root, "a", "22");
    await tree.next(150, never);
    expect(tree.take()).toEqual(["a"]);
    closeSync(out);
    tree.close();
  });

  test("several changes in a row are one, and a stop ends the wait", async () => {
    const root = folder({ a: "1" });
    const tree = watchTree(root, { needed: [], ours: [] });
    write(root, "a", "22");
    write(root, "b", "1");
    await tree.next(300, never);
    expect(tree.take()).toEqual(["a", "b"]);
    const stop = new AbortController();
    const waiting = tree.next(300, stop.signal);
    stop.abort();
    await waiting;
    tree.close();
  });
});

test("test --watch runs again after a change, says first what changed, and leaves nothing behind", async () => {
  const script = '#!/bin/sh\necho "pid $$" >&2\nexec "$BINARY" serve $(cat fault.txt)\n';
  const cwd = folder({ "fault.txt": "", "server.sh": script });
  chmodSync(join(cwd, "server.sh"), 0o755);
  const filters = ["--only", "lifecycle-ping,tools-list", "--spec-version", "2025-11-25", "--verbose", "--strict"];
  const child = spawn(
    binary(),
    ["test", "--watch", ...filters, "--format", "markdown", "-E", `BINARY=${binary()}`, "./server.sh"],
    {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (bytes) => {
    out += bytes;
  });
  const closed = new Promise((resolve) => child.on("close", resolve));
  let edits = 0;
  child.stderr.on("data", (bytes) => {
    err += bytes;
    const runs = err.split("Ctrl-C ends it").length - 1;
    if (runs === 1 && edits === 0) {
      edits = 1;
      write(cwd, "fault.txt", "--fault tools-list/1");
    } else if (runs === 2 && edits === 1) {
      edits = 2;
      child.kill("SIGINT");
    }
  });
  expect(await closed).toBe(130);
  const second = err.slice(err.indexOf("Ctrl-C ends it"));
  expect(second).toMatch(/fault\.txt changed: run 2\n/);
  expect(second).toContain("since the last run: A 100.0 -> ");
  expect(second).toContain("  Newly failing: tools-list (expected ");
  expect(out.match(/^# /gm)?.length).toBe(2);
  const pids = [...err.matchAll(/^server: pid (\d+)/gm)].map(([, pid]) => Number(pid));
  expect(pids.length).toBeGreaterThanOrEqual(2);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
}, 60_000);

test("--watch is for commands, and prints for people", async () => {
  expect((await assay(["test", "--watch", "https://h/mcp"])).err).toContain("--watch is for a server that we start");
  const json = await assay(["test", "--watch", "--format", "json", "--", "x"]);
  expect([json.code, json.err]).toEqual([2, expect.stringContaining("as --format json=FILE")]);
});
