import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newCheck } from "./new-check.ts";

const REPOSITORY = dirname(import.meta.dir);
const CATALOG = `[
  {
    "id": "tools-list",
    "area": "tools",
    "transports": ["http", "stdio"],
    "required": { "capability": "tools" },
    "level": "MUST",
    "section": "https://example.com/spec#x",
    "requirement": "Tools are listed.",
    "verdicts": { "pass": "A list.", "fail": "None.", "skipped": "Never." }
  }
]
`;

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

test("a new check gets a file, a row after the last of its area, and a place in the index", async () => {
  const root = repository();
  const args = ["tools-new", "--area", "tools", "--level", "MUST", "--section", "https://example.com/y", "--required"];
  const done = await newCheck(root, args);
  expect(done).toEqual([
    "src/checks/tools/tools-new.ts: written",
    "catalogs/2025-11-25.json: written",
    "src/checks/index.ts: regenerated",
    "catalogs/README.md: regenerated",
    "next: write the faults, then run, in src/checks/tools/tools-new.ts",
  ]);
  expect(readFileSync(join(root, "catalogs/2025-11-25.json"), "utf8")).toBe(
    CATALOG.replace(
      "  }\n]",
      `  },
  {
    "id": "tools-new",
    "area": "tools",
    "transports": ["http", "stdio"],
    "required": true,
    "level": "MUST",
    "section": "https://example.com/y",
    "requirement": "TODO: what the specification asks, in our words",
    "verdicts": {
      "pass": "TODO: what is right, and when a note is added",
      "fail": "TODO: what is wrong",
      "skipped": "TODO: when it does not bind a server"
    }
  }
]`,
    ),
  );
  expect(readFileSync(join(root, "src/checks/index.ts"), "utf8")).toContain('from "./tools/tools-new.ts"');
});

test("a row that waits for its check is kept", async () => {
  const root = repository();
  const done = await newCheck(root, ["tools-list", "--area", "tools"]);
  expect(done).toContain("catalogs/2025-11-25.json: has the row already; kept as it is");
  expect(readFileSync(join(root, "catalogs/2025-11-25.json"), "utf8")).toBe(CATALOG);
  await expect(newCheck(root, ["tools-list", "--area", "tools"])).rejects.toThrow("tools-list exists already");
});

test("an unknown area, another area than the row's, and a row without its section are refused", async () => {
  const root = repository();
  await expect(newCheck(root, ["tools-new", "--area", "toolz"])).rejects.toThrow("--area must be one of transport,");
  await expect(newCheck(root, ["tools-list", "--area", "schema"])).rejects.toThrow("has tools-list in area tools");
  await expect(newCheck(root, ["tools-new", "--area", "tools", "--level", "MUST"])).rejects.toThrow("--section: ");
});

function repository(): string {
  const root = mkdtempSync(join(tmpdir(), "new-check-"));
  roots.push(root);
  mkdirSync(join(root, "catalogs"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "catalogs/2025-11-25.json"), CATALOG);
  symlinkSync(join(REPOSITORY, "src/model"), join(root, "src/model"), "junction");
  return root;
}
