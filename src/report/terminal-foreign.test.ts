import { expect, test } from "bun:test";
import { blocked, fail, pass, skipped } from "../model/outcome.ts";
import type { Report } from "../model/report.ts";
import { createRedactor } from "../text/redact.ts";
import { posted, report, row, verdict } from "./_specimen.ts";
import { toTerminal } from "./terminal.ts";

const plain = { color: false, redact: (text: string) => text };

/** A report with the text wherever a server, or whoever started it, can put one. */
const filled = (text: string): Report =>
  report(
    [
      verdict(row("tools-a"), { ...fail(text, text, 1), ...{ note: text } }, { title: text, fix: text }),
      verdict(row("tools-b"), pass(text, text)),
      verdict(row("tools-c"), skipped(text)),
      verdict(row("tools-d"), blocked(text, text, 2)),
      verdict(row("tools-e"), { status: "error", because: text }),
    ],
    {
      ...{ url: `https://example.com/${text}`, warnings: [text], partial: text, trouble: text, stderrTail: text },
      server: { ...report([]).server, protocolVersion: text, name: text, version: text },
      transcript: [posted(1, text, text), { ...posted(2, text, ""), end: "closed", cause: text }],
    },
  );

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
