// A folder may hold what it likes: nothing of it changes what the program does, on any of its runtimes.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binary } from "../../src/cli/binary.fixture.ts";
import { bundle } from "./bundle.ts";
import { identity } from "./identity.ts";

setDefaultTimeout(120_000);
const root = mkdtempSync(join(tmpdir(), "hostile-"));
const [clean, hostile, marker] = [join(root, "clean"), join(root, "hostile"), join(root, "marker")];
const EVIL = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, process.argv.join(" ") + "\\n");`;
/** Its verdict on a server depends on TLS settings, proxies and the time-out, among others. */
const ENV = [
  ...["NODE_TLS_REJECT_UNAUTHORIZED=0", "NODE_ENV=development", "NODE_OPTIONS=--require=./evil.cjs", "CI=true"],
  ...["BUN_OPTIONS=--preload=./evil.cjs", "HTTP_PROXY=http://127.0.0.1:1", "NO_COLOR=", "FORCE_COLOR=3", "CODE=9"],
  ...["MCP_ASSAY_RUNTIME=binary", "MCP_ASSAY_BIN=./evil.cjs", "MCP_ASSAY_IMAGE=plain", "OAM_BIN=./evil.cjs"],
].join("\n");

beforeAll(() => {
  for (const folder of [clean, hostile]) mkdirSync(folder);
  const files: Readonly<Record<string, string>> = {
    "evil.cjs": EVIL,
    ".env": ENV,
    ".env.local": ENV,
    ".env.production": ENV,
    "bunfig.toml": 'preload = ["./evil.cjs"]\n[run]\nshell = "system"\n[define]\n"process.env.NODE_ENV" = "\'x\'"\n',
    ".npmrc": "script-shell=./evil.cjs\n",
    "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./evil.cjs"] } } }',
    "package.json": JSON.stringify({
      ...{
        name: "mcp-assay",
        type: "commonjs",
        main: "evil.cjs",
        exports: "./evil.cjs",
        imports: { "#*": "./evil.cjs" },
      },
      scripts: { preinstall: "node evil.cjs" },
    }),
    "index.js": EVIL,
    "launcher.mjs": "throw new Error('evil')",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(hostile, name), text);
  for (const name of ["ajv", "citty", "consola", "valibot", "node:fs", "undici"]) {
    const folder = join(hostile, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.js"), EVIL);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "99.0.0", main: "index.js" }));
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const node = Bun.which("node");
const built = join(root, "bundle");
const RUNTIMES: Readonly<Record<string, () => readonly string[]>> = {
  "the executable": () => [binary()],
  "the npm launcher on Node": () => [node ?? "node", join(built, "launcher.mjs")],
  "the npm launcher on Bun": () => [
    "/usr/bin/env",
    "MCP_ASSAY_RUNTIME=bun",
    node ?? "node",
    join(built, "launcher.mjs"),
  ],
};

test.each(Object.keys(RUNTIMES))("%s does the same in a hostile folder", async (name) => {
  if (name.includes("npm") && node === null) return console.warn("SKIPPED: there is no node here");
  if (!existsSync(built)) bundle(built, identity());
  const command = RUNTIMES[name]?.() ?? [];
  const version = ["--version"];
  const graded = ["demo", "--format", "json", "--only", "transport-post,security-tls-required"];
  const caught = ["selftest", "--only", "transport-post", "--spec-version", "2025-11-25"];
  for (const args of [version, ["explain", "tools-list"], graded, caught, ["no-such-verb"]]) {
    const [there, here] = await Promise.all([run(command, args, hostile), run(command, args, clean)]);
    expect([args, there]).toEqual([args, here]);
  }
  expect(existsSync(marker)).toBe(false);
});

test("the trap does spring where nothing is done against it", async () => {
  await run([process.execPath, join(built, "index.js")], ["--version"], hostile);
  expect(existsSync(marker)).toBe(true);
});

// --- internal ---

async function run(command: readonly string[], args: readonly string[], cwd: string): Promise<readonly unknown[]> {
  const { PATH: rest = "", HOME = "" } = process.env;
  const PATH = `${dirname(process.execPath)}:${rest}`;
  const child = Bun.spawn([...command, ...args], {
    ...{ cwd, env: { PATH, HOME }, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return [await child.exited, steady(out), steady(err)];
}

/** Without what differs from run to run: times, ports, process ids, random words. */
function steady(text: string): string {
  return text
    .replace(/"(timestamp|durationMs)": ("[^"]*"|\d+)/g, "")
    .replace(/127\.0\.0\.1:\d+|localhost:\d+/g, "host")
    .replace(/\b\d+(\.\d+)? m?s\b/g, "")
    .split("\n")
    .filter((line) => !/"(sent|received|repro|details|note)"/.test(line))
    .join("\n");
}
