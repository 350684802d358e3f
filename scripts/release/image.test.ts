// What the images hold, run as a container would run it: its own root, nobody's user, nothing writable. No engine needed.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binary } from "../../src/cli/binary.fixture.ts";
import { ROOT } from "../installed.ts";
import { layOut } from "./image.ts";

setDefaultTimeout(120_000);
const root = mkdtempSync(join(tmpdir(), "image-"));
const reason = unable();
if (reason !== undefined) console.warn(`SKIPPED: the images are not run, since ${reason}`);

beforeAll(() => {
  if (reason !== undefined) return;
  layOut(binary(), root);
  // The plain base has libc and its loader; no shell, no other program.
  withLibraries(binary());
  mkdirSync(join(root, "proc"));
  mkdirSync(join(root, "etc"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.skipIf(reason !== undefined)("the plain image grades, and starts as nobody on a read-only root", () => {
  const { code, out, err } = contained("demo", "--format", "json");
  expect([code, err]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(out)).toMatchObject({ grade: "A", score: 100 });
});

test.skipIf(reason !== undefined)("the plain image explains why it can start no server", () => {
  const { code, err } = contained("test", "--only", "tools-list", "--", "npx", "-y", "some-server");
  expect([code, err]).toEqual([2, expect.stringContaining('"npx" is not in this image')]);
  expect(err).toContain("-node tag");
});

test.skipIf(reason !== undefined)("the node image starts servers", () => {
  const node = Bun.which("node");
  if (node === null) return console.warn("SKIPPED: the node image, since there is no node here");
  withLibraries(node);
  cpSync(node, join(root, "usr/local/bin/node"), { dereference: true });
  writeFileSync(join(root, "work/server.js"), SERVER);
  const { code, out } = contained("test", "--only", "lifecycle-init", "--format", "json", "node", "work/server.js");
  expect([code, JSON.parse(out).tests]).toEqual([
    0,
    [expect.objectContaining({ id: "lifecycle-init", status: "pass" })],
  ]);
});

test("both images run as nobody, on bases that are pinned, and only the plain one calls itself that", () => {
  const stages = readFileSync(join(ROOT, "Dockerfile"), "utf8")
    .split(/^(?=FROM )/m)
    .slice(1);
  expect(stages.length).toBe(2);
  for (const stage of stages) {
    expect(stage).toMatch(/^FROM \S+@sha256:[0-9a-f]{64} AS (node|plain)$/m);
    expect(stage).toContain("USER 65532:65532");
    expect(stage).toContain('ENTRYPOINT ["/usr/local/bin/mcp-assay"]');
    expect(stage.includes("MCP_ASSAY_IMAGE=plain")).toBe(stage.includes("AS plain"));
  }
});

// --- internal ---

const SERVER = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === "initialize" && {
    protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "tiny", version: "1" } };
  const error = { code: -32601, message: "no such method" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
});`;

/** Why a root of one's own is not to be had here. */
function unable(): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  if (process.getuid?.() !== 0) return "that needs root";
  const missing = ["unshare", "mount", "chroot", "ldd", "sh"].find((name) => Bun.which(name) === null);
  if (missing !== undefined) return `there is no ${missing} here`;
  const tried = Bun.spawnSync(["unshare", "--mount", "true"]);
  return tried.exitCode === 0 ? undefined : "mounts of one's own are not allowed here";
}

/** Copies the libraries that a program names, and the loader, to where it looks for them. */
function withLibraries(program: string): void {
  const { stdout } = Bun.spawnSync(["ldd", program]);
  for (const [, path = ""] of stdout.toString().matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    cpSync(path, join(root, path), { dereference: true });
  }
}

function contained(...args: readonly string[]): { readonly code: number; readonly out: string; readonly err: string } {
  const script = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && mount -t proc proc "$0/proc" && exec chroot --userspec=65532:65532 "$0" /usr/local/bin/mcp-assay "$@"`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(["unshare", "--mount", "sh", "-c", script, root, ...args], {
    stdin: "ignore",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", MCP_ASSAY_IMAGE: "plain" },
  });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}
