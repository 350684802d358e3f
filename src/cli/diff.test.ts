import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, pass } from "../model/outcome.ts";
import { report, row, verdict } from "../report/_specimen.ts";
import { toJson } from "../report/json.ts";
import { assay } from "./binary.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = toJson(report([verdict(row("tools-x"), pass("x"))]), { redact: (text) => text });
const bad = toJson(report([verdict(row("tools-x"), fail("x", "y"))]), { redact: (text) => text });
writeFileSync(join(folder, "good.json"), good);
writeFileSync(join(folder, "bad.json"), bad);
// What PowerShell's > writes.
writeFileSync(join(folder, "wide.json"), Buffer.from(`\ufeff${good}`, "utf16le"));
writeFileSync(join(folder, "hostile.json"), good.replace('"passed": true', '"passed": "\\u001b[2J"'));

const diff = (words: readonly string[], input?: string) =>
  assay(["diff", ...words], {
    ...{ cwd: folder, env: { ...process.env, NO_COLOR: "1" } as Record<string, string> },
    ...(input === undefined ? {} : { input }),
  });

test("newly failing is 1; anything else is 0; formats go to stdout", async () => {
  const [worse, better, json, piped] = await Promise.all([
    diff(["good.json", "bad.json"]),
    diff(["bad.json", "wide.json"]),
    diff(["good.json", "bad.json", "--format", "json"]),
    diff(["good.json", "-", "--format", "markdown"], bad),
  ]);
  expect({ ...worse, out: "" }).toEqual({ code: 1, out: "", err: "" });
  expect(worse.out).toContain("Newly failing (1)");
  expect(better.code).toBe(0);
  expect(better.out).toContain("Fixed (1)");
  expect(JSON.parse(json.out)).toMatchObject({ regressed: true });
  expect(piped.code).toBe(1);
  expect(piped.out).toContain("### Newly failing (1)");
}, 30_000);

test("the user's mistakes are 2, and say what to do", async () => {
  const said = await Promise.all([
    diff(["good.json"]),
    diff(["good.json", "bad.json", "--frobnicate"]),
    diff(["good.json", "hostile.json"]),
  ]);
  expect(said.map(({ code, out }) => ({ code, out }))).toEqual(said.map(() => ({ code: 2, out: "" })));
  const texts = said.map(({ err }) => err);
  expect(texts[0]).toContain("1 file is given");
  expect(texts[1]).toContain("--frobnicate");
  expect(texts[2]).toContain("tests.0.passed");
  expect(texts[2]).not.toContain("\u001b");
}, 30_000);
