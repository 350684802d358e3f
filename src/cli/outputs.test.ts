import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rendered, validJunit, validSarif } from "../report/_inert.ts";
import { validDocument } from "../report/_valid.ts";
import { assay, binary } from "./binary.fixture.ts";

const QUICK = ["test", "--spec-version", "2025-11-25", "--timeout", "800", "--only", "tools-list,tools-call"];
const jq = Bun.which("jq");
if (jq === null) console.warn("SKIPPED: reading a report with jq. There is no jq.");

let folder = "";
let served: readonly string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-outputs-"));
  served = ["--", binary(), "serve", "--fault", "tools-list/1"];
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), "utf8");

describe("where documents go", () => {
  const mistakes: readonly (readonly [name: string, args: readonly string[], message: string])[] = [
    ["two formats on stdout", ["--format", "json", "--format", "html"], "both go to stdout, which has room for one"],
    ["a format twice", ["--format", "json", "--format=json"], "both go to stdout"],
    ["an unknown format", ["--format", "sarf=x"], '--format "sarf" is none of terminal, json'],
    ["no file", ["--format", "json="], "names no file: write it as --format json=FILE"],
    ["two documents in one file", ["--format", "json=x", "--output", "./x"], "Two documents would go to ./x"],
    ["a folder that isn't there", ["--output", "no/such/badge.svg"], "there is no folder"],
    ["a folder for a file", ["--transcript", "."], "it is a folder"],
  ];
  for (const [name, args, message] of mistakes) {
    test(`${name}: told before anything runs`, async () => {
      const { code, out, err } = await assay(["test", ...args, "--", "no-such-server"], { cwd: folder });
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(message);
      expect(readdirSync(folder).filter((file) => file === "x" || file === "no")).toEqual([]);
    });
  }

  test("one run, many files, and one document on stdout", async () => {
    const files = ["json=r.json", "sarif=r.sarif", "junit=r.xml", "markdown=r.md", "html=r.html", "github=r.log"];
    const { code, out, err } = await assay(
      [
        ...QUICK,
        ...files.flatMap((each) => ["--format", each]),
        ...["--format", "json", "--output", "badge.svg", "--transcript", "t.jsonl", "--verbose", ...served],
      ],
      { cwd: folder },
    );
    expect(code).toBe(0);
    expect(out).toBe(read("r.json"));
    expect(err).toContain("FAIL tools-list: ");
    const { grade, summary, warnings } = validDocument(out);
    if (jq !== null) {
      expect(spawnSync(jq, [".grade"], { input: out }).stdout.toString()).toBe(`"${grade}"\n`);
    }
    expect(summary.failed).toBeGreaterThan(0);
    const sarif = validSarif(read("r.sarif")).runs[0];
    expect(sarif?.results?.length).toBe(summary.failed);
    expect(sarif?.invocations?.[0]?.properties).toMatchObject({ grade, testsSkipped: summary.skipped, warnings });
    const suite = await validJunit(read("r.xml"));
    expect([suite.tests, suite.failures, suite.skipped]).toEqual([summary.total, summary.failed, summary.skipped]);
    expect(rendered(read("r.md")).querySelector("h1")?.textContent).toContain(`grade ${grade},`);
    expect(read("r.html")).toContain(`Grade ${grade}, `);
    expect(read("r.log").match(/^::error/gm)?.length).toBe(summary.required - summary.requiredPassed);
    expect(read("badge.svg")).toContain(`MCP 2025-11-25: ${grade} `);
    expect(read("t.jsonl").trimEnd().split("\n").length).toBeGreaterThan(3);
  }, 60_000);

  test("with files alone the terminal report stays on stdout", async () => {
    const { out } = await assay([...QUICK, "--format", `json=${at("a.json")}`, ...served]);
    expect(out).toStartWith("mcp-assay ");
    expect(out).toContain(`Grade ${validDocument(read("a.json")).grade} `);
  }, 60_000);

  test("what a config file says of them holds until the command line says otherwise", async () => {
    const cwd = at("configured");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "mcp-assay.config.json"), '{ "format": "json", "output": "b.svg" }');
    validDocument((await assay([...QUICK, ...served], { cwd })).out);
    expect(existsSync(join(cwd, "b.svg"))).toBe(true);
    const { out } = await assay([...QUICK, "--format", "markdown", ...served], { cwd });
    expect(out).toStartWith("# MCP report: grade ");
  }, 60_000);

  test("the summary of a GitHub step gets a report, beneath what is there", async () => {
    writeFileSync(at("summary"), "before\n");
    const [{ out }] = await Promise.all([
      assay([...QUICK, "--format", "github", ...served], { env: { GITHUB_STEP_SUMMARY: at("summary") } }),
      assay([...QUICK, "--format", "json", ...served], { env: { GITHUB_STEP_SUMMARY: at("unused") } }),
    ]);
    expect(out).toContain("::error title=tools-list%3A ");
    expect(read("summary")).toStartWith("before\n# MCP report: grade ");
    expect(existsSync(at("unused"))).toBe(false);
  }, 60_000);

  test.skipIf(!existsSync("/dev/full"))(
    "a full disk loses no other document",
    async () => {
      const { code, out, err } = await assay([
        ...[...QUICK, "--format", "html=/dev/full", "--format", `json=${at("kept.json")}`],
        ...["--format", "markdown", ...served],
      ]);
      expect(code).toBe(2);
      expect(err).toContain("/dev/full can't be written: no space is left on the device.");
      expect(err).not.toMatch(/\n\s+at /);
      expect(out).toContain(`grade ${validDocument(read("kept.json")).grade}`);
    },
    60_000,
  );

  test("reports of both revisions and transports are as the schema says", async () => {
    const modern = ["--spec-version", "2026-07-28", "--only", "lifecycle,schema,errors"];
    const runs = [["demo"], ["test", ...modern, "--timeout", "1500", "--", binary(), "serve"]];
    const documents = await Promise.all(
      runs.map(async ([verb = "", ...rest]) => validDocument((await assay([verb, "--format", "json", ...rest])).out)),
    );
    expect(documents.map(({ specVersion, environment }) => [specVersion, environment.transport])).toEqual([
      ["2025-11-25", "http"],
      ["2026-07-28", "stdio"],
    ]);
    expect(documents.map(({ grade }) => grade)).toEqual(["A", "A"]);
  }, 60_000);
});
