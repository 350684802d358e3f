import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../model/json.ts";
import { assay, binary } from "./binary.fixture.ts";

const cwd = mkdtempSync(join(tmpdir(), "mcp-assay-expected-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
beforeAll(() => void binary(), 120_000);

const pinned = ["--spec-version", "2025-11-25", "--only", "tools-list,lifecycle-ping"];
/** The command that starts a server with the given faults. */
const served = (...faults: readonly string[]) => [
  "--",
  binary(),
  "serve",
  ...faults.flatMap((each) => ["--fault", each]),
];
const run = (args: readonly string[]) => assay(args, { cwd });
const write = (name: string, value: unknown): string => {
  writeFileSync(join(cwd, name), JSON.stringify(value));
  return name;
};

test("accepted failures don't fail a run; new ones, passing ones and expired ones do", async () => {
  const broken = served("tools-list/1");
  expect((await run(["test", ...pinned, "--format", "json=report.json", ...broken])).code).toBe(0);
  const made = await run(["expect", "report.json", "--reason", "known", "--output", "expected.json"]);
  expect([made.code, made.err]).toEqual([0, "expected.json: 1 failure is expected\n"]);
  expect(JSON.parse(readFileSync(join(cwd, "expected.json"), "utf8"))).toEqual({
    "2025-11-25": { "tools-list": { reason: "known" } },
  });
  const accepting = ["test", ...pinned, "--strict", "--format", "json", "--expected-failures"];
  const accepted = await run([...accepting, "expected.json", ...broken]);
  expect(accepted.code).toBe(0);
  expect(at(JSON.parse(accepted.out), "expectedFailures", "accepted")).toEqual([{ id: "tools-list", reason: "known" }]);
  expect((await run([...accepting, "expected.json", ...served()])).code).toBe(1);
  expect((await run([...accepting, write("none.json", { "2025-11-25": {} }), ...broken])).code).toBe(1);
  const old = write("old.json", { "2025-11-25": { "tools-list": { reason: "x", expires: "2020-02-29" } } });
  expect((await run([...accepting, old, ...broken])).code).toBe(1);
  const other = write("other.json", { "2026-07-28": { "tools-list": { reason: "x" } } });
  const unheard = await run([...accepting, other, ...served()]);
  expect([unheard.code, unheard.out.includes("other.json accepts failures of 2026-07-28 only")]).toEqual([0, true]);
}, 60_000);

test("a file that is wrong is named before anything runs", async () => {
  const wrong: readonly [value: unknown, message: string][] = [
    [[], 'give { "2025-11-25"'],
    [{ "2025-11-24": {} }, '"2025-11-24" is no revision: write 2025-11-25.'],
    [{ "2025-11-25": { "tools-lst": { reason: "x" } } }, "is no check of that revision: did you mean tools-list?"],
    [{ "2025-11-25": { "lifecycle-discover": { reason: "x" } } }, "it is one of 2026-07-28"],
    [{ "2025-11-25": { "tools-list": {} } }, "its reason is missing"],
    [{ "2025-11-25": { "tools-list": { reason: " " } } }, "give a text that says why"],
    [{ "2025-11-25": { "tools-list": { reason: "x", expires: "2027-02-30" } } }, "give a day, as YYYY-MM-DD"],
    [{ "2025-11-25": { "tools-list": { reason: "x", until: "2027" } } }, "there is no field until"],
  ];
  for (const [value, message] of wrong) {
    const { code, err } = await run(["test", "--expected-failures", write("wrong.json", value), ...served()]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  }
}, 60_000);

test("expect keeps reasons and what the report says nothing about, and drops what passes", async () => {
  const test = (id: string, passed: boolean, skipped = false) => ({ id, passed, skipped, details: `${id} it is` });
  write("r.json", {
    schemaVersion: "1",
    specVersion: "2025-11-25",
    tests: [
      test("tools-list", false),
      test("prompts-list", false),
      test("tools-call", true),
      test("schema", true, true),
    ],
  });
  write("kept.json", {
    "2025-11-25": {
      "tools-call": { reason: "passes now" },
      "tools-list": { reason: "mine", expires: "2099-01-01" },
      "lifecycle-ping": { reason: "not in this report" },
    },
    "2026-07-28": { "tools-list": { reason: "of the other" } },
  });
  expect((await run(["expect", "r.json", "--output", "kept.json"])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, "kept.json"), "utf8"))).toEqual({
    "2025-11-25": {
      "lifecycle-ping": { reason: "not in this report" },
      "tools-list": { reason: "mine", expires: "2099-01-01" },
      "prompts-list": { reason: "prompts-list it is" },
    },
    "2026-07-28": { "tools-list": { reason: "of the other" } },
  });
  const refused = await run(["expect", write("no.json", { schemaVersion: "2" })]);
  expect([refused.code, refused.out]).toEqual([2, ""]);
  expect((await run(["expect", "r.json", "--expires", "soon"])).err).toContain("write it as YYYY-MM-DD");
  expect((await run(["expect"])).err).toContain("No report: give one");
});
