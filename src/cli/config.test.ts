import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { configOf, loadConfig } from "./config.ts";
import { ConfigSchema } from "./config-schema.ts";
import { testSettings } from "./settings.ts";
import { split } from "./split.ts";
import { testOptions } from "./test-options.ts";

const made: string[] = [];
afterAll(() => made.forEach((path) => void rmSync(path, { recursive: true, force: true })));

/** A folder with these files in it. */
function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const path = mkdtempSync(join(tmpdir(), "mcp-assay-config-"));
  made.push(path);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}
const trouble = (action: () => unknown): string => {
  try {
    return `no error: ${JSON.stringify(action())}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "?";
  }
};

describe("a config file is found in the current folder", () => {
  const places: readonly [name: string, text: (n: number) => string][] = [
    ["mcp-assay.config.json", (n) => `{ "retries": ${n} }`],
    [".mcp-assayrc.json", (n) => `{ "retries": ${n} }`],
    [".mcp-assayrc", (n) => `{ "retries": ${n} }`],
    ["package.json", (n) => `{ "name": "x", "mcp-assay": { "retries": ${n} } }`],
    ["mcp-compliance.config.json", (n) => `{ "retries": ${n} }`],
    [".mcp-compliancerc.json", (n) => `{ "retries": ${n} }`],
    [".mcp-compliancerc", (n) => `{ "retries": ${n} }`],
  ];
  test("the first there wins, and nothing is merged", () => {
    for (let first = 0; first < places.length; first++) {
      const files = places.slice(first).map(([name, text], index) => [name, text(first + index)] as const);
      const { config, file } = loadConfig(undefined, folder(Object.fromEntries(files)));
      expect([config, file?.split(" ")[0]]).toEqual([{ retries: first }, places[first]?.[0]]);
    }
    expect(loadConfig(undefined, folder({ "package.json": `{ "mcp-compliance": { "retries": 9 } }` })).config).toEqual({
      retries: 9,
    });
  });

  test("no file, a package.json of others and one that is broken are no settings", () => {
    expect(loadConfig(undefined, folder({}))).toEqual({ config: {} });
    expect(loadConfig(undefined, folder({ "package.json": `{ "name": "x" }` }))).toEqual({ config: {} });
    expect(loadConfig(undefined, folder({ "package.json": "{" }))).toEqual({ config: {} });
  });

  test("--config names another, in any encoding that editors write", () => {
    const text = '{\r\n  // the slow one\r\n  "timeout": 30000,\r\n}';
    const cwd = folder({
      "mcp-assay.config.json": "{}",
      "bom.json": `\ufeff${text}`,
      "utf16.json": Buffer.from(`\ufeff${text}`, "utf16le"),
      "package.json": `{ "mcp-assay": { "timeout": 30000 } }`,
    });
    for (const name of ["bom.json", "utf16.json", "package.json"]) {
      expect(loadConfig(name, cwd).config).toEqual({ timeout: 30_000 });
    }
    expect(trouble(() => loadConfig("gone.json", cwd))).toContain('--config "gone.json" is no file in');
    expect(trouble(() => loadConfig(".", cwd))).toContain("is a folder: give a file");
  });

  test("a mistake in its syntax is named with line and column", () => {
    const cwd = folder({ "mcp-assay.config.json": '{\n  "timeout": 20000\n  "strict": true\n}' });
    expect(trouble(() => loadConfig(undefined, cwd))).toBe(
      'UsageError: mcp-assay.config.json: line 3, column 3: unexpected "\\"", where a comma or } is due.',
    );
  });
});

describe("a wrong field is named, with what to write instead", () => {
  const wrong: readonly [value: unknown, message: string][] = [
    [[], 'give an object of settings, such as { "timeout": 20000 }'],
    [{ timout: 1 }, 'there is no field "timout": did you mean "timeout"?'],
    [{ Strict: true }, 'there is no field "Strict": did you mean "strict"?'],
    [{ zzz: 1 }, 'there is no field "zzz": the fields are target, timeout'],
    [{ timeout: "20s" }, 'timeout is "20s": give a whole number of milliseconds above 0.'],
    [{ timeout: 1.5 }, "timeout is 1.5: give a whole number of milliseconds above 0."],
    [{ retries: -1 }, "retries is -1: give a whole number from 0 up."],
    [{ specVersion: "2025-11-26" }, 'Did you mean "2025-11-25"?'],
    [{ strict: "yes" }, 'strict is "yes": give true or false.'],
    [{ only: "tools" }, 'only is "tools": give a list of areas'],
    [{ only: [1] }, "only.0 is 1: give a text."],
    [{ target: "https://h/" }, 'give an object such as { "type": "http"'],
    [{ target: { url: "https://h/" } }, 'target.type is missing: give "http", "sse" or "stdio".'],
    [{ target: { type: "htp" } }, 'target.type is "htp": give "http", "sse" or "stdio". Did you mean "http"?'],
    [{ target: { type: "http" } }, "target.url is missing: give the URL of the server."],
    [{ target: { type: "stdio" } }, "target.command is missing: give the command that starts the server."],
    [{ target: { type: "stdio", command: "x", arg: [] } }, 'no field "arg" in target: did you mean "args"?'],
    [{ target: { type: "http", url: "x", headers: { A: 1 } } }, "target.headers.A is a number: give a text."],
  ];
  for (const [value, message] of wrong) {
    test(JSON.stringify(value), () => expect(trouble(() => configOf(value, "f.json"))).toContain(message));
  }
  test("several at once", () => {
    expect(trouble(() => configOf({ timeout: 0, retries: "x" }, "f.json")).split("\n").length).toBe(2);
  });
});

test("flags win over the file, and the file over the defaults, for every field", () => {
  const file = configOf(
    {
      timeout: 1,
      startupTimeout: 2,
      preflightTimeout: 3,
      retries: 4,
      only: ["tools"],
      skip: ["schema"],
      strict: true,
      minGrade: "b",
      concurrency: 5,
      specVersion: "2025-11-25",
      verbose: true,
      format: "json",
      output: "a.svg",
      expectedFailures: "a.json",
    },
    "f.json",
  );
  const of = (line: string) => testSettings(split(line.split(" "), testOptions), file);
  expect(of("x")).toMatchObject({
    times: { request: 1, startup: 2, preflight: 3 },
    retries: 4,
    only: ["tools"],
    skip: ["schema"],
    strict: true,
    minGrade: "B",
    concurrency: 5,
    specVersion: "2025-11-25",
    verbose: true,
    expectedFailures: "a.json",
    outputs: { stdout: "json", badge: "a.svg" },
  });
  const flags =
    "--timeout 11 --startup-timeout 12 --preflight-timeout 13 --retries 0 --only errors --skip prompts,tools --no-strict --min-grade c --concurrency 15 --spec-version auto --no-verbose --format terminal --output b.svg --expected-failures b.json x";
  expect(of(flags)).toMatchObject({
    times: { request: 11, startup: 12, preflight: 13 },
    retries: 0,
    only: ["errors"],
    skip: ["prompts", "tools"],
    strict: false,
    minGrade: "C",
    concurrency: 15,
    specVersion: "auto",
    verbose: false,
    expectedFailures: "b.json",
    outputs: { stdout: "terminal", badge: "b.svg" },
  });
  // The documented defaults, and what follows from --timeout alone.
  const bare = testSettings(split(["x"], testOptions));
  expect(bare).toMatchObject({
    times: { request: 15_000, startup: 60_000, preflight: 10_000 },
    retries: 0,
    concurrency: 1,
    specVersion: "auto",
    outputs: { stdout: "terminal", files: [] },
    strict: false,
    verbose: false,
  });
  expect(testSettings(split(["--timeout", "90000", "x"], testOptions)).times).toMatchObject({
    startup: 90_000,
    preflight: 10_000,
  });
  expect(testSettings(split(["--timeout", "5000", "x"], testOptions)).times.preflight).toBe(5000);
  // A field without a test above would go unnoticed.
  expect(Object.keys(file).sort()).toEqual(
    Object.keys(ConfigSchema.entries)
      .filter((name) => !["$schema", "target"].includes(name))
      .sort(),
  );
});

test("the JSON Schema for editors takes what the program takes, and nothing else", () => {
  const path = fileURLToPath(new URL("../../catalogs/config.v1.schema.json", import.meta.url));
  const valid = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(path, "utf8")));
  const values: readonly unknown[] = [
    {},
    { $schema: "x", timeout: 1, minGrade: "A", only: ["tools"], specVersion: "auto" },
    { target: { type: "http", url: "https://h/", headers: { A: "b" } } },
    { target: { type: "stdio", command: "node", args: ["x"], env: { A: "b" }, cwd: "." } },
    { timout: 1 },
    { timeout: "1" },
    { timeout: 0 },
    { retries: 0.5 },
    { minGrade: "E" },
    { only: "tools" },
    { target: { type: "http" } },
    { target: { type: "stdio", command: "x", url: "y" } },
    { target: { type: "ws", url: "y" } },
    { target: "https://h/" },
    { strict: 1 },
  ];
  for (const value of values) {
    const taken = trouble(() => configOf(value, "f")).startsWith("no error");
    expect([value, valid(value)]).toEqual([value, taken]);
  }
});
