import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay, binary } from "./binary.fixture.ts";
import { testOptions } from "./test-options.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-assay-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  binary();
  for (const shell of ["bash", "zsh", "fish"]) {
    writeFileSync(join(folder, shell), (await assay(["completion", shell])).out);
  }
}, 120_000);

/** What bash offers for the last word of a line. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mcp_assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", "mcp-assay", ...words], { cwd: folder });
  expect(stderr.toString()).toBe("");
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

describe.skipIf(Bun.which("bash") === null)("bash", () => {
  test("completes verbs, options and values", () => {
    expect(offered("te")).toEqual(["test"]);
    expect(offered("help", "exp")).toEqual(expect.arrayContaining(["explain", "expect"]));
    expect(offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(offered("test", "--spec-version", "2026")).toEqual(["2026-07-28"]);
    expect(offered("test", "--only", "tools,tools-call-")).toEqual(["tools,tools-call-unknown"]);
    expect(offered("test", "-E", "")).toEqual([]);
    expect(offered("test", "--no-str")).toEqual(["--no-strict"]);
    expect(offered("test", "--", "node", "--st")).toEqual([]);
    expect(offered("test", "--config", "ba")).toEqual(["bash"]);
  });

  test("offers every option of test", () => {
    expect(offered("test", "--")).toEqual(expect.arrayContaining(testOptions.map(({ name }) => `--${name}`)));
  });
});

for (const shell of ["zsh", "fish"]) {
  if (Bun.which(shell) === null) console.warn(`SKIPPED: the completion for ${shell}, which isn't installed`);
  test.skipIf(Bun.which(shell) === null)(`${shell} can read its script`, () => {
    const { status, stderr } = spawnSync(shell, ["-n", shell], { cwd: folder });
    expect([status, stderr.toString()]).toEqual([0, ""]);
  });
}

test.skipIf(Bun.which("fish") === null)("fish completes options and values", () => {
  const of = (line: string) =>
    spawnSync("fish", ["-c", `source ./fish; complete -C '${line}'`], { cwd: folder }).stdout.toString();
  expect(of("mcp-assay te")).toStartWith("test\t");
  expect(of("mcp-assay test --spec-version 2026")).toStartWith("2026-07-28");
  expect(of("mcp-assay test --stri")).toStartWith("--strict\t");
});

test("another shell is refused in words", async () => {
  expect((await assay(["completion", "zsx"])).err).toContain("bash, zsh, fish: did you mean zsh?");
  expect((await assay(["completion"])).code).toBe(2);
});
