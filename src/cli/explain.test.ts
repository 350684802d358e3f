import { expect, test } from "bun:test";
import { join } from "node:path";
import schema from "../../catalogs/report.v1.schema.json" with { type: "json" };

async function explain(...words: readonly string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../main.ts"), "explain", ...words], {
    ...{ stdout: "pipe", stderr: "pipe", stdin: "ignore" },
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

test("explains on stdout, and refuses what it doesn't know with 2", async () => {
  const [one, printed, wrong] = await Promise.all([
    explain("tools-list", "--format", "json"),
    explain("--schema", "report"),
    explain("tools-lst"),
  ]);
  expect(one.code).toBe(0);
  expect(JSON.parse(one.out)).toMatchObject({ kind: "check", id: "tools-list", snippet: expect.any(Array) });
  expect(JSON.parse(printed.out)).toEqual(schema);
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 2, out: "" });
  expect(wrong.err).toContain("did you mean tools-list?");
}, 30_000);
