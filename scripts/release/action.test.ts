// action.yml and its script, on a runner that is simulated as far as they can see.
import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";
import { type Ran, type Small, smallMachine, standIn, VERSION } from "./_machine.ts";

setDefaultTimeout(60_000);

/** Logs what it is asked and writes the reports that the real one would. VERBS are those that it has. */
const ASSAY = `
case $1 in
  --version) echo mcp-assay ${VERSION}; exit ;;
  help) case " $VERBS " in *" $2 "*) exit 0 ;; esac; exit 2 ;;
esac
verb=$1
for word; do
  printf '%s|' "$word" >>"$LOG"
  case $word in json=*) cat "$REPORTS/$verb.json" >"\${word#json=}" ;; sarif=*) echo '{}' >"\${word#sarif=}" ;; esac
done
echo >>"$LOG"
[ "$verb" != "$BREAKS" ] || exit 3
`;
const REPORTS = {
  test: {
    ...{ specVersion: "2026-07-28", grade: "B", score: 87.5 },
    summary: { total: 9, passed: 7, failed: 2, required: 5, requiredPassed: 4, skipped: 3 },
    tests: [{ details: 'a server\'s text\n  "grade": "A",\n    "passed": 99,', passed: true }],
  },
  health: { toolsCallable: 12, toolsTotal: 13, schemaErrors: 0, schemaWarnings: 4 },
  score: { compositeScore: 60, band: "almost" },
  gate: { summary: { breaking: 2, security: 1, additive: 5 } },
};

const store = smallMachine();
let release: Awaited<ReturnType<typeof standIn>>;
let small: Small;

beforeAll(async () => {
  release = await standIn(join(store.root, "release"), () => ASSAY);
});
afterAll(async () => {
  await release.close();
  store.remove();
});
beforeEach(() => {
  small = smallMachine();
  small.bring("curl", "awk", "cp", "sh");
  system("Linux", "x86_64");
  const action = join(small.root, "action");
  mkdirSync(join(action, "scripts/release"), { recursive: true });
  for (const file of ["install.sh", "scripts/release/action.sh"]) cpSync(join(ROOT, file), join(action, file));
  const repository = { type: "git", url: `git+${release.base}.git` };
  writeFileSync(join(action, "package.json"), JSON.stringify({ version: VERSION, repository }, null, 2));
  mkdirSync(join(small.root, "reports"));
  for (const [verb, report] of Object.entries(REPORTS))
    writeFileSync(join(small.root, `reports/${verb}.json`), JSON.stringify(report, null, 2));
});
afterEach(() => small.remove());

test("test runs with the documented defaults, and tells its outputs", async () => {
  const { code, err } = await act({ target: "node ./server.js --x '/a b'" });
  expect([err, code]).toEqual([expect.stringContaining("installed mcp-assay"), 0]);
  const report = join(small.root, "temp/mcp-assay/report.json");
  expect(log()).toEqual([
    `test|--format|github|--format|json=${report}|--timeout|30000|--strict|--|node ./server.js --x '/a b'|`,
  ]);
  expect(outputs()).toEqual({
    ...{ grade: "B", score: "87.5", "spec-version": "2026-07-28", passed: "7", failed: "2", skipped: "3" },
  });
  expect(read("path")).toBe(`${join(small.root, "temp/mcp-assay/bin")}\n`);
});

test("every input reaches the verb that it is for", async () => {
  const { code, out } = await act(
    {
      ...{
        command: "https://h/mcp",
        format: "markdown",
        strict: "false",
        "min-grade": "B",
        "spec-version": "2025-11-25",
      },
      ...{ auth: "Bearer x", header: "X-A: 1\n\n  X-B: two words  \n", env: "A=1\nB=$HOME", "env-file": ".env.ci" },
      ...{ cwd: "sub dir", timeout: "5", only: "tools", skip: "security", output: "b.svg", "upload-sarif": "true" },
      ...{ "expected-failures": "e.json", publishability: "true", package: "./package.json", "fail-under": "70" },
      ...{
        "html-report": "h.html",
        "json-output": "h.json",
        baseline: "c.mcpvcr",
        "fail-on": "breaking",
        markdown: "c.md",
      },
    },
    { VERBS: "test health score gate" },
  );
  expect(code).toBe(0);
  expect(out).toContain("::add-mask::Bearer x");
  const temp = join(small.root, "temp/mcp-assay");
  const reach =
    "--auth-env|INPUT_AUTH|--env-file|.env.ci|--cwd|sub dir|--header|X-A: 1|--header|X-B: two words|--env|A=1|--env|B=$HOME|--|https://h/mcp|";
  expect(log()).toEqual([
    `test|--format|markdown|--format|json=${temp}/report.json|--timeout|5|--format|sarif=${temp}/report.sarif|--min-grade|B|--spec-version|2025-11-25|--only|tools|--skip|security|--output|b.svg|--expected-failures|e.json|${reach}`,
    `health|--format|json=${temp}/health.json|--format|html=h.html|${reach}`,
    `score|--format|json=${temp}/score.json|--fail-under|70|--package|./package.json|${reach}`,
    `gate|--baseline|c.mcpvcr|--format|json=${temp}/gate.json|--fail-on|breaking|--markdown|c.md|${reach}`,
  ]);
  expect(outputs()).toMatchObject({
    ...{ "tools-pass-rate": "0.92", "schema-warnings": "4", "composite-score": "60", band: "almost" },
    ...{ "breaking-count": "2", "security-count": "1", sarif: `${temp}/report.sarif` },
  });
  expect(existsSync(join(small.home, "h.json"))).toBe(true);
});

test("one verb's failure stops no other, and the step fails at the end", async () => {
  const inputs = { target: "https://h", health: "true", baseline: "c.mcpvcr" };
  const { code, out } = await act(inputs, { VERBS: "test health gate", BREAKS: "test" });
  expect([code, out]).toEqual([3, expect.stringContaining("::error title=mcp-assay::test ended with code 3")]);
  expect(log().map((line) => line.split("|")[0])).toEqual(["test", "health", "gate"]);
});

test("an input whose verb this version does not have fails and says so", async () => {
  const { code, out } = await act({ target: "https://h", publishability: "true" }, { VERBS: "test health" });
  expect([code, out]).toEqual([1, expect.stringContaining("has no verb score yet, which an input asks for")]);
  expect(outputs()).toMatchObject({ grade: "B", "schema-warnings": "4" });
});

test.each([
  ["Linux", "x86_64", "linux-x64.tar.gz"],
  ["Darwin", "arm64", "darwin-arm64.tar.gz"],
  ["MINGW64_NT-10.0-20348", "x86_64", "windows-x64.zip"],
])("%s on %s gets %s, checked", async (name, cpu, archive) => {
  if (archive.endsWith("zip") && Bun.which("unzip") === null) return console.warn("SKIPPED: there is no unzip here");
  system(name, cpu);
  expect((await act({ target: "https://h" })).err).toContain(`fetching mcp-assay-${VERSION}-${archive}`);
  expect(outputs()).toMatchObject({ grade: "B" });
  await Bun.spawn(["rm", "-rf", join(small.root, "temp")]).exited;
  const wrong = await act({ target: "https://h", version: "latest", sha256: "0".repeat(64) });
  expect([wrong.code, wrong.err, wrong.out]).toEqual([
    1,
    expect.stringContaining(`must be ${"0".repeat(64)}: nothing was installed`),
    expect.stringContaining("::error title=mcp-assay::mcp-assay latest could not be installed"),
  ]);
});

test("mistakes in the inputs are annotations", async () => {
  const said = async (inputs: Readonly<Record<string, string>>): Promise<string> => (await act(inputs)).out;
  expect(await said({})).toContain("::error title=mcp-assay::the input target is missing");
  expect(await said({ target: "a", command: "b" })).toContain("name two servers");
  expect(await said({ target: "a", "upload-sarif": "yes" })).toContain("upload-sarif is yes: write 'true' or 'false'");
  expect(await said({ target: "a", version: "0.0.1" })).toContain("0.0.1 could not be installed");
});

test("action.yml hands every input over, and tells every output", async () => {
  const yaml = Bun.YAML.parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as {
    inputs: Record<string, { default?: string }>;
    outputs: Record<string, { value: string }>;
    runs: { steps: { env?: Record<string, string> }[] };
  };
  const variable = (name: string): string => `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
  const handed = Object.fromEntries(Object.keys(yaml.inputs).map((name) => [variable(name), `\${{ inputs.${name} }}`]));
  expect(yaml.runs.steps[0]?.env).toEqual(handed);
  const script = readFileSync(join(ROOT, "scripts/release/action.sh"), "utf8");
  for (const name of Object.keys(handed)) expect(script).toMatch(new RegExp(`${name}|wants ${name.slice(6)}`));
  for (const [name, { value }] of Object.entries(yaml.outputs)) {
    expect(value).toBe(`\${{ steps.run.outputs.${name} }}`);
    expect(script).toMatch(new RegExp(`tell ${name} |for each in .*\\b${name}\\b.*tell`));
  }
  const defaults = Object.entries(yaml.inputs).flatMap(([name, { default: value }]) => (value ? [[name, value]] : []));
  expect(Object.fromEntries(defaults)).toEqual({
    ...{
      format: "github",
      strict: "true",
      timeout: "30000",
      "upload-sarif": "false",
      publishability: "false",
      "fail-under": "0",
    },
  });
});

// --- internal ---

const DEFAULTS = { format: "github", strict: "true", timeout: "30000", "upload-sarif": "false", "fail-under": "0" };

function system(name: string, cpu: string): void {
  small.put("uname", `case "$1" in -m) echo ${cpu} ;; *) echo ${name} ;; esac`);
  small.put("ldd", "echo GNU libc");
}

function act(inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const given = Object.entries({ ...DEFAULTS, ...inputs }).map(([name, value]) => [
    `INPUT_${name.toUpperCase().replaceAll("-", "_")}`,
    value,
  ]);
  mkdirSync(join(small.root, "temp"), { recursive: true });
  const runner = {
    GITHUB_ACTION_PATH: join(small.root, "action"),
    ...{ GITHUB_OUTPUT: join(small.root, "output"), GITHUB_PATH: join(small.root, "path") },
    ...{ RUNNER_TEMP: join(small.root, "temp"), REPORTS: join(small.root, "reports"), LOG: join(small.root, "log") },
  };
  return small.run(["/bin/sh", join(small.root, "action/scripts/release/action.sh")], {
    env: { ...runner, VERBS: "test", BREAKS: "", ...env, ...Object.fromEntries(given) },
  });
}

const read = (name: string): string => readFileSync(join(small.root, name), "utf8");
const log = (): readonly string[] => read("log").split("\n").slice(0, -1);

function outputs(): Readonly<Record<string, string>> {
  const lines = read("output").split("\n").slice(0, -1);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
