import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay, binary } from "./binary.fixture.ts";

const made: string[] = [];
afterAll(() => made.forEach((path) => void rmSync(path, { recursive: true, force: true })));
beforeAll(() => void binary(), 120_000);

function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), "mcp-assay-init-"));
  made.push(path);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}
const read = (cwd: string, name: string): string => readFileSync(join(cwd, name), "utf8");

test("without a terminal it writes what the command line says, and test then needs no arguments", async () => {
  const cwd = folder();
  const args = ["--strict", "--spec-version", "2025-11-25", "-E", "LOG_LEVEL=error", "-E", "API_KEY=hush-hush"];
  const { code, err, out } = await assay(["init", ...args, "--", binary(), "serve"], { cwd });
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain("API_KEY looks like a credential");
  expect(JSON.parse(read(cwd, "mcp-assay.config.json"))).toEqual({
    target: {
      type: "stdio",
      command: binary(),
      args: ["serve"],
      env: { LOG_LEVEL: "error", API_KEY: "${env:API_KEY}" },
    },
    specVersion: "2025-11-25",
    strict: true,
  });
  const missing = await assay(["test", "--only", "lifecycle-ping"], { cwd });
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("the variable API_KEY is not set")]);
  const ran = await assay(["test", "--only", "lifecycle-ping"], { cwd, env: { API_KEY: "x" } });
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining("Grade A")]);
}, 30_000);

test("a file that is there is replaced by --force only", async () => {
  const cwd = folder({ "mcp-assay.config.json": "mine" });
  const refused = await assay(["init", "--yes", "https://h/mcp"], { cwd });
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("mcp-assay.config.json is there already")]);
  expect(read(cwd, "mcp-assay.config.json")).toBe("mine");
  expect(
    (await assay(["init", "--yes", "--auth-env", "MCP_AUTH", "--output", "b.json", "https://h/mcp"], { cwd })).code,
  ).toBe(0);
  expect(JSON.parse(read(cwd, "b.json"))).toEqual({
    target: { type: "http", url: "https://h/mcp", headers: { Authorization: "${env:MCP_AUTH}" } },
  });
  expect((await assay(["init", "--yes", "--force", "https://h/mcp"], { cwd })).code).toBe(0);
  expect(JSON.parse(read(cwd, "mcp-assay.config.json"))).toEqual({ target: { type: "http", url: "https://h/mcp" } });
});

test("--ci writes a workflow beside the config, and leaves what is there", async () => {
  const target = { type: "stdio", command: "node", args: ["s.js"], env: { KEY: "${env:KEY}" } };
  const cwd = folder({ ".mcp-assayrc": JSON.stringify({ target }), "package-lock.json": "{}" });
  expect((await assay(["init", "--ci", "github"], { cwd })).code).toBe(0);
  const workflow = read(cwd, ".github/workflows/mcp-assay.yml");
  expect(Bun.YAML.parse(workflow)).toMatchObject({
    jobs: {
      conformance: {
        steps: expect.arrayContaining([
          { run: "npm ci" },
          { run: expect.stringMatching(/^npx -y mcp-assay@\S+ test --strict/), env: { KEY: "${{ secrets.KEY }}" } },
        ]),
      },
    },
  });
  expect(existsSync(join(cwd, "mcp-assay.config.json"))).toBe(false);
  writeFileSync(join(cwd, ".gitlab-ci.yml"), "theirs: {}\n");
  const gitlab = await assay(["init", "--ci", "gitlab"], { cwd });
  expect([gitlab.code, gitlab.err]).toEqual([0, expect.stringContaining("include: { local: .gitlab/mcp-assay.yml }")]);
  expect(Bun.YAML.parse(read(cwd, ".gitlab/mcp-assay.yml"))).toMatchObject({
    "mcp-assay": { script: expect.any(Array) },
  });
  expect(read(cwd, ".gitlab-ci.yml")).toBe("theirs: {}\n");
  expect((await assay(["init", "--ci", "github"], { cwd })).err).toContain("is there already");
});

test("what it can't know is asked of the user in words", async () => {
  const cwd = folder();
  const of = async (...args: string[]) => (await assay(["init", ...args], { cwd })).err;
  expect(await of("--yes")).toContain("No target: give the URL of a server");
  expect(await of("--ci", "githib")).toContain("did you mean github?");
  expect(await of("-E", "A", "https://h/")).toContain("leave them out");
  expect(await of("--auth-env", "A", "--", "node")).toContain("--auth-env is for HTTP");
  expect(await of("-E", "9x", "--", "node")).toContain("is no name of a variable");
  expect(existsSync(join(cwd, "mcp-assay.config.json"))).toBe(false);
});
