import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveOnHttp } from "./http.ts";

const SUITE = join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
/** Those of its scenarios that ask for no tools, prompts and resources of their own, and no capability that we lack. */
const SCENARIOS = [
  ...["server-initialize", "ping", "tools-list", "prompts-list", "resources-list", "server-sse-multiple-streams"],
  ...["dns-rebinding-protection"],
];

const own = await serveOnHttp({ addresses: "public", commands: [] }, 0);
// It leaves its results where it is started.
const folder = mkdtempSync(join(tmpdir(), "assay-official-"));
afterAll(async () => {
  await own.close();
  rmSync(folder, { recursive: true, force: true });
});

function judged(scenario: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const args = [SUITE, "server", "--url", own.url, "--scenario", scenario];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
}

test("the official suite finds nothing wrong with our own server", async () => {
  const results = await Promise.all(SCENARIOS.map(judged));
  for (const [index, { code, said }] of results.entries()) {
    expect(code, `${SCENARIOS[index]}: ${said}`).toBe(0);
    expect(said).toMatch(/Passed: [1-9]\d*\/[1-9]\d*, 0 failed, 0 warnings/);
  }
}, 240_000);
