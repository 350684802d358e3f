import { expect, test } from "bun:test";
import { markdown, markdownBlock, markdownCode, markup, neutral } from "./markup.ts";

test("HTML and XML see no markup, no control and no noncharacter", () => {
  expect(markup(`<a href="x" o='y'>\`&amp;\u0000\u202e\uffff\ud800\n</a>`)).toBe(
    "&lt;a href=&quot;x&quot; o=&#39;y&#39;&gt;&#96;&amp;amp;\\u0000\\u202e\\uffff\\ud800\n&lt;/a&gt;",
  );
});

test("no line is a command of a CI system, whatever stands before its mark", () => {
  const text = "::error::a\n \t\u00a0::b\nc ::d\n##[e] x##vso[f] ##teamcity[g] ##h\n\u001b[31m::i";
  expect(neutral(text)).toBe(
    "\\u003a:error::a\n \t\u00a0\\u003a:b\nc ::d\n\\u0023#[e] x\\u0023#vso[f] \\u0023#teamcity[g] ##h\n\u001b[31m\\u003a:i",
  );
  expect(markup(" ::x ##[y]")).toBe(" &#58;:x &#35;#[y]");
});

test("others' text is a code span with a fence of its own", () => {
  expect(markdownCode("plain")).toBe("`plain`");
  expect(markdownCode("`a` ``b``")).toBe("``` `a` ``b`` ```");
  expect(markdownCode(" x ")).toBe("`  x  `");
  expect(markdownCode("a\nb")).toBe("`a\\nb`");
  expect(markdownCode("a|b", "table")).toBe("`a\\u007cb`");
  expect([markdownCode(""), markdownCode(" ")]).toEqual(["(empty)", "(empty)"]);
});

test("a block of code ends where it should", () => {
  expect(markdownBlock("a\n```\nb", "sh")).toBe("````sh\na\n```\nb\n````");
  expect(markdownBlock("::x")).toBe("```\n\\u003a:x\n```");
});

test("our own words keep their marks", () => {
  expect(markdown("Answer { tools: [ … ] } with *_meta* <b> | `x`")).toBe(
    "Answer { tools: \\[ … \\] } with \\*\\_meta\\* \\<b\\> \\| \\`x\\`",
  );
});
