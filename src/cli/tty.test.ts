import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { binary } from "./binary.fixture.ts";

const cwd = mkdtempSync(join(tmpdir(), "mcp-assay-tty-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
beforeAll(() => void binary(), 120_000);

/** Runs the binary on a terminal, and types each answer once what it waits for is on the screen. */
async function typed(args: readonly string[], answers: readonly (readonly [seen: string, typed: string])[]) {
  let screen = "";
  let from = 0;
  const left = [...answers];
  const child = Bun.spawn([binary(), ...args], {
    cwd,
    env: { ...process.env, TERM: "xterm", NO_COLOR: "" },
    terminal: {
      cols: 90,
      rows: 40,
      data(terminal, bytes) {
        screen += new TextDecoder().decode(bytes);
        const [next] = left;
        if (next === undefined || !stripVTControlCharacters(screen.slice(from)).includes(next[0])) return;
        from = screen.length;
        left.shift();
        terminal.write(next[1]);
      },
    },
  });
  return { code: await child.exited, screen, left };
}

const skipped = process.platform === "win32";
if (skipped) console.warn("SKIPPED: the tests on a terminal, which Windows has in another way");

test.skipIf(skipped)(
  "init asks on a terminal, and again before it replaces what it wrote",
  async () => {
    const first = await typed(
      ["init"],
      [
        ["Number or name", "stdio\r"],
        ["Which command", `${binary()} serve\r`],
        ["Which variables", "LOG_LEVEL=error\r"],
        ["each request take", "9000\r"],
        ["first answer take", "\r"],
        ["Exit with 1", "n\r"],
      ],
    );
    expect([first.code, first.left]).toEqual([0, []]);
    const text = readFileSync(join(cwd, "mcp-assay.config.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      target: { type: "stdio", command: binary(), args: ["serve"], env: { LOG_LEVEL: "error" } },
      timeout: 9000,
      strict: false,
    });
    const second = await typed(["init", "https://h/mcp"], [["Replace it?", "n\r"]]);
    expect([second.code, second.screen]).toEqual([130, expect.stringContaining("Nothing was written")]);
    const third = await typed(["init", "--output", "other.json"], [["Number or name", "\u0003"]]);
    expect([third.code, existsSync(join(cwd, "other.json"))]).toEqual([130, false]);
    expect(readFileSync(join(cwd, "mcp-assay.config.json"), "utf8")).toBe(text);
  },
  60_000,
);

test.skipIf(skipped)(
  "a run on a terminal shows what it does, wipes that out, and then prints its report",
  async () => {
    writeFileSync(join(cwd, "empty.json"), "{}");
    const args = ["--config", "empty.json", "--spec-version", "2025-11-25", "--only", "lifecycle-ping,tools-list"];
    const { code, screen } = await typed(["test", ...args, "--", binary(), "serve"], []);
    expect(code).toBe(0);
    expect(screen).toMatch(/\r\u001b\[2K\d\/2 {2}(lifecycle-ping|tools-list) {2}\d+ s/);
    const [, after = ""] = screen.split(/\r\u001b\[2K(?=[^\r]*mcp-assay )/);
    expect(stripVTControlCharacters(after)).toContain("Grade A");
  },
  60_000,
);
