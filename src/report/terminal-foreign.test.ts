import { expect, test } from "bun:test";
import { createRedactor } from "../text/redact.ts";
import { filled } from "./_foreign.ts";
import { toTerminal } from "./terminal.ts";

const plain = { color: false, redact: (text: string) => text };

test("escape sequences of a server are inert", () => {
  const hostile = "\u001b[2J\u001b]8;;http://evil.example\u0007\u009b31m\r\u202e\u200b\u2028\u{e0041}\ud800";
  const shown = toTerminal(filled(hostile), plain);
  expect(shown).toContain("\\u001b[2J\\u001b]8;;http://evil.example\\u0007\\u009b31m");
  expect(shown.match(/[^\n\P{C}]|[\u2028\u2029]/gu)).toBeNull();
  const colored = toTerminal(filled(hostile), { ...plain, color: true });
  expect(colored.replace(/\u001b\[(?:1|2|22|31|32|33|36|39)m/g, "").match(/[^\n\P{C}]|[\u2028\u2029]/gu)).toBeNull();
});

test("no secret survives, not even in parts", () => {
  const redact = createRedactor([{ name: "TOKEN", value: "s3cr3t-t0ken\nsecond-line" }]);
  for (const width of [30, 80]) {
    const shown = toTerminal(filled(`${"x".repeat(230)}s3cr3t-t0ken\nsecond-line`), { ...plain, redact, width });
    expect(shown.replace(/\s/g, "")).not.toMatch(/s3cr3t|second|t0ken/);
  }
});
