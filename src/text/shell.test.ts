import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { terminal } from "./escape.ts";
import { createRedactor } from "./redact.ts";
import { shellPrint, shellWord } from "./shell.ts";

const posix = process.platform !== "win32";
const keep = (text: string) => text;

const TEXTS = [
  "plain",
  "",
  'it\'s $HOME `id` "x" \\n !! %s %% *',
  "-n",
  "-e\u001b[31m",
  "a\nb\r\n\tc\u0000d\u202e\u{e0041}",
  "東京 👍",
  `{"a":"${"A".repeat(100_000)}","b":"${"0".repeat(300)}"}`,
  "100%\u0007 \\ 'q'",
];

test.skipIf(!posix)("a shell prints exactly the text", () => {
  for (const text of TEXTS) {
    expect(spawnSync("sh", ["-c", shellPrint(text, keep)]).stdout.toString()).toBe(text);
  }
});

test.skipIf(!posix)("a shell reads a word as exactly the text", () => {
  for (const text of TEXTS.filter((each) => !each.includes("\u0000"))) {
    const { stdout } = spawnSync("sh", ["-c", `printf '%s' ${shellWord(text, keep)}`]);
    expect(stdout.toString()).toBe(text);
  }
});

test("quoted text is inert and short", () => {
  for (const text of TEXTS) {
    expect(terminal(shellPrint(text, keep))).toBe(shellPrint(text, keep));
    expect(shellPrint(text, keep).length).toBeLessThan(200);
  }
});

test.skipIf(!posix)("secrets are left to the shell, and nothing else is", () => {
  const redact = createRedactor([{ name: "TOKEN", value: "s3cr3t" }]);
  expect(shellWord("Authorization: Bearer s3cr3t", redact)).toBe('"Authorization: Bearer $TOKEN"');
  expect(shellWord('{"a":"s3cr3t","b":"$HOME"}', redact)).toBe(`'{"a":"'"$TOKEN"'","b":"$HOME"}'`);
  for (const text of ['{"a":"s3cr3t","b":"$HOME"}', "x\ns3cr3t$HOME\n-", "$TOKEN stays", "s3cr3tail"]) {
    const env = { TOKEN: "s3cr3t", HOME: "/nowhere", PATH: process.env["PATH"] ?? "" };
    expect(spawnSync("sh", ["-c", shellPrint(text, redact)], { env }).stdout.toString()).toBe(text);
  }
});
