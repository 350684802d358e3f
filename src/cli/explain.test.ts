import { expect, test } from "bun:test";
import schema from "../../catalogs/report.v1.schema.json" with { type: "json" };
import { assay } from "./binary.fixture.ts";

test("explains on stdout, and refuses what it doesn't know with 2", async () => {
  const [one, printed, wrong] = await Promise.all([
    assay(["explain", "tools-list", "--format", "json"]),
    assay(["explain", "--schema", "report"]),
    assay(["explain", "tools-lst"]),
  ]);
  expect(one.code).toBe(0);
  expect(JSON.parse(one.out)).toMatchObject({ kind: "check", id: "tools-list", snippet: expect.any(Array) });
  expect(JSON.parse(printed.out)).toEqual(schema);
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 2, out: "" });
  expect(wrong.err).toContain("did you mean tools-list?");
}, 30_000);
