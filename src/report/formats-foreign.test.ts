import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createRedactor } from "../text/redact.ts";
import { filled } from "./_foreign.ts";
import { expectInert } from "./_inert.ts";
import { toBadge } from "./badge.ts";
import { FORMATS } from "./format-names.ts";
import { formats } from "./formats.ts";
import { transcriptLines } from "./transcript.ts";

// Pages and schemas are work for a machine that has other work.
setDefaultTimeout(60_000);

const keep = (text: string): string => text;
const page = { color: false, ci: true };

/** Each is a way to write into somebody's report. */
const HOSTILE: readonly string[] = [
  "\u001b[2J\u001b]8;;http://evil.example\u0007\u009b31m",
  "\n::error::evil\r\n  ::add-mask::evil",
  "##[error]evil ##vso[task.setvariable]evil ##teamcity[evil]",
  `"><script>evil()</script><img src=x onerror=evil()>' onclick=evil() x='`,
  "]]></failure><testcase name='evil'/><!--",
  "[evil](http://evil.example) ![evil](http://evil.example/x.png) <http://evil.example> https://evil.example @evil #1",
  "```\n# evil\n````\n</details>\n<!-- evil",
  "a | evil | \\| `evil` `` evil ```",
  "\u0000\u202eevil\u202c\u200b\u2028\ufeff\u{e0041}\ud800\uffff\ufffe",
  "{0} {{1}} %s %0A%3A $HOME `id` $(id)",
  "",
  " ",
  "\n",
];

for (const format of FORMATS) {
  describe(format, () => {
    test("whatever a server writes is inert", async () => {
      // A page is parsed slowly, and is the same to each of them.
      const each = format === "html" ? [] : HOSTILE;
      for (const text of [...each, HOSTILE.join("\n"), HOSTILE.toReversed().join(" "), "e".repeat(300_000)]) {
        const written = formats[format](filled(text), { redact: keep, page });
        expect(written.length).toBeLessThan(250_000);
        await expectInert[format](written);
      }
    }, 60_000);

    test("no secret is in it, not even in parts", () => {
      const secret = "s3cr3t/t0ken+\nsecond<line";
      const redact = createRedactor([{ name: "TOKEN", value: secret }]);
      const forms = [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64"),
        JSON.stringify(secret),
      ];
      for (const form of forms) {
        for (const lead of [0, 230, 295, 590, 1990]) {
          const written = formats[format](filled(`${"x".repeat(lead)}${form}`), { redact, page });
          expect(written.replace(/\s/g, "")).not.toMatch(/s3cr|t0ken|second|czNjcjN0|L3QwA2Vu/);
        }
      }
    });
  });
}

test("the transcript is as inert as a report", async () => {
  for (const text of [...HOSTILE, HOSTILE.join("\n")]) {
    await expectInert.transcript(transcriptLines(filled(text).transcript, keep));
  }
});

test("nothing of a server's is in the badge", () => {
  expect(toBadge(filled("evil"))).not.toContain("evil");
});
