import { blocked, fail, pass, skipped } from "../model/outcome.ts";
import type { Report } from "../model/report.ts";
import { posted, report, row, verdict } from "./_specimen.ts";

/** For tests: a report with the text wherever a server, or whoever started it, can put one. */
export const filled = (text: string): Report =>
  report(
    [
      verdict(row("tools-a"), { ...fail(text, text, 1), ...{ note: text } }),
      verdict(row("tools-b"), pass(text, text)),
      verdict(row("tools-c"), skipped(text)),
      verdict(row("tools-d"), blocked(text, text, 2)),
      verdict(row("tools-e"), { status: "error", because: text }),
    ],
    {
      ...{ url: `https://example.com/${text}`, warnings: [text], partial: text, trouble: text, stderrTail: text },
      revisionNote: text,
      server: {
        ...{ protocolVersion: text, name: text, version: text, capabilities: { experimental: { [text]: [text] } } },
        ...{ tools: [text], resources: [text], prompts: [text] },
      },
      transcript: [posted(1, text, text), { ...posted(2, text, ""), end: "closed", cause: text }],
      expected: {
        file: text,
        accepted: [{ id: "tools-a", reason: text }],
        stale: [{ id: "tools-b", reason: text, because: "passes" }],
        unexpected: ["tools-d"],
      },
    },
  );
