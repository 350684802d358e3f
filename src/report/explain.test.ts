import { expect, test } from "bun:test";
import { checks } from "../checks/index.ts";
import { REVISIONS } from "../model/catalog.ts";
import { revisions } from "../revisions/index.ts";
import { explain, listChecks, type Sources } from "./explain.ts";
import { explainToTerminal } from "./explain-terminal.ts";

const sources: Sources = {
  checks,
  catalogs: { "2025-11-25": revisions["2025-11-25"].catalog, "2026-07-28": revisions["2026-07-28"].catalog },
};
const page = { color: false, redact: (text: string) => text };

test("every check of both catalogs is explained in full, its snippet with JSON that is JSON", () => {
  const ids = new Set(REVISIONS.flatMap((each) => sources.catalogs[each].map(({ id }) => id)));
  for (const id of ids) {
    const found = explain(id, sources);
    if (found.kind !== "check") throw new Error(`${id}: ${JSON.stringify(found)}`);
    expect(found.snippet.length, `${id} has no snippet`).toBeGreaterThan(0);
    expect(found.faults.length + found.cases.length, id).toBeGreaterThan(0);
    for (const { verdicts, section } of found.revisions) {
      expect(verdicts.fail.length * section.length, id).toBeGreaterThan(0);
    }
    for (const line of found.snippet) {
      const json = /^(?:->|<-|) +([[{].*[\]}])$/.exec(line)?.[1];
      if (json !== undefined && !json.includes("…") && !/[\w"']: /.test(json)) JSON.parse(json);
    }
    expect(explainToTerminal(found, page)).toContain(id);
  }
});

test("where the revisions differ is said, and one alone can be asked for", () => {
  expect(explain("tools-call", sources)).toMatchObject({
    revisions: [
      { revision: "2025-11-25", required: "no" },
      { revision: "2026-07-28", required: "when the server declares tools" },
    ],
    differences: expect.arrayContaining(["required: no in 2025-11-25, when the server declares tools in 2026-07-28"]),
  });
  expect(explain("tools-call", sources, "2025-11-25")).toMatchObject({ revisions: [{ revision: "2025-11-25" }] });
  expect(explain("lifecycle-ping", sources)).toMatchObject({
    differences: ["Only 2025-11-25 has this check; 2026-07-28 has none of that id."],
  });
  expect(explain("transport-batch-reject", sources, "2025-11-25")).toMatchObject({
    revisions: [{ required: "yes, by this catalog and not by the specification" }],
  });
});

test("a fault stands for its check, and an area for its checks", () => {
  expect(explain("tools-call-unknown/1", sources)).toMatchObject({ kind: "check", id: "tools-call-unknown" });
  const area = explain("security", sources, "2026-07-28");
  if (area.kind !== "list") throw new Error(area.kind);
  expect(area.checks.length).toBe(21);
  expect(listChecks(sources, "2025-11-25").checks.length).toBe(88);
  expect(listChecks(sources, "2026-07-28").checks.length).toBe(103);
  expect(explainToTerminal(listChecks(sources), page)).toContain("tools-call-unknown");
});

test("an unknown id comes with the nearest", () => {
  expect(explain("tool-lst", sources)).toMatchObject({ kind: "unknown", meant: "tools-list" });
  expect(explain("rug-pull", sources)).toMatchObject({ meant: "security-tool-rug-pull" });
  expect(explain("promts", sources)).toMatchObject({ meant: "prompts" });
  expect(explain("lifecycle-ping", sources, "2026-07-28")).toMatchObject({
    message: expect.stringContaining("a check of 2025-11-25 only"),
  });
  expect(explain("x".repeat(100_000), sources)).toMatchObject({ message: expect.stringContaining("--list") });
});
