import { expect, test } from "bun:test";
import { formula } from "./formula.ts";

const TARGETS = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"];
const sum = (target: string): string => new Bun.CryptoHasher("sha256").update(target).digest("hex");
const MANIFEST = {
  version: "1.2.3",
  targets: Object.fromEntries(
    TARGETS.map((name) => [name, { file: `mcp-assay-1.2.3-${name}.tar.gz`, sha256: sum(name) }]),
  ),
};

test("each system has its own archive and checksum", () => {
  const made = formula(JSON.stringify(MANIFEST), "https://github.com/o/r");
  const urls = [...made.matchAll(/url "(.*)"\n +sha256 "(.*)"/g)].map(([, url, sha256]) => [url, sha256]);
  const expected = TARGETS.map((name) => [
    `https://github.com/o/r/releases/download/v1.2.3/mcp-assay-1.2.3-${name}.tar.gz`,
    sum(name),
  ]);
  expect(urls).toEqual(expected);
});

test("a release without one of them makes no formula", () => {
  const { "linux-x64": _, ...targets } = MANIFEST.targets;
  expect(() => formula(JSON.stringify({ ...MANIFEST, targets }), "x")).toThrow("manifest.json has no target linux-x64");
});

test("ruby finds it well-formed", () => {
  if (Bun.which("ruby") === null) return console.warn("SKIPPED: there is no ruby here");
  const stdin = Buffer.from(formula(JSON.stringify(MANIFEST), "https://github.com/o/r"));
  const { stdout, stderr } = Bun.spawnSync(["ruby", "-wc"], { stdin });
  expect([stdout.toString(), stderr.toString()]).toEqual(["Syntax OK\n", ""]);
});
