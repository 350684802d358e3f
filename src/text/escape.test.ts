import { expect, test } from "bun:test";
import { cap, json, oneLine, terminal } from "./escape.ts";

test("plain text of any language stays as it is", () => {
  const text = "tool «naïve» 東京 Привет ا 👍 \\u0041";
  expect(terminal(text)).toBe(text);
});

test("control characters become visible", () => {
  expect(terminal("a\u001b[31mred\u001b]0;title\u0007\u0000\u007f\u009b1m")).toBe(
    "a\\u001b[31mred\\u001b]0;title\\u0007\\u0000\\u007f\\u009b1m",
  );
});

test("every C0 and C1 control is escaped", () => {
  for (let code = 0; code < 0xa0; code++) {
    if (code >= 0x20 && code < 0x7f) continue;
    expect(terminal(String.fromCharCode(code))).toMatch(/^\\(?:[nrt]|u00[0-9a-f]{2})$/);
  }
});

test("newlines are escaped unless kept", () => {
  expect(terminal("a\r\nb\tc")).toBe("a\\r\\nb\\tc");
  expect(terminal("a\r\nb", { newlines: true })).toBe("a\\r\nb");
});

test("characters that reorder or hide text become visible", () => {
  const hidden = [
    0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x061c, 0x200b, 0x200c,
    0x200d, 0x2060, 0xfeff, 0x00ad, 0x034f, 0x3164, 0x2028, 0x2029, 0xfe0f, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
  ];
  for (const code of hidden) {
    const hex = code.toString(16);
    expect(terminal(`a${String.fromCodePoint(code)}b`)).toBe(
      code > 0xffff ? `a\\u{${hex}}b` : `a\\u${hex.padStart(4, "0")}b`,
    );
  }
});

test("lone surrogates are escaped and pairs are not", () => {
  expect(terminal("\ud800x\udc00😀")).toBe("\\ud800x\\udc00😀");
});

test("a cut never splits a surrogate pair", () => {
  expect(cap("a😀b😀c", 2)).toBe("a😀… (+3 characters)");
  expect(cap("😀😀", 2)).toBe("😀😀");
  expect(cap("abc", 2)).toBe("ab… (+1 character)");
  expect(cap("abc", 3)).toBe("abc");
});

test("one line has no line breaks and says what it left out", () => {
  expect(oneLine("  a \r\n\n\tb\u001b\u2028c", 80)).toBe("a b\\u001b\\u2028c");
  expect(oneLine("x".repeat(133), 10)).toBe("xxxxxxxxxx… (+123 characters)");
});

test("JSON keeps its value, and what any parser can't read becomes text", () => {
  const text = "\\ud800 \\\\ \ud800\ude00 \u{e0041}\u001b[1m ##[error] \u202e\n";
  expect(JSON.parse(json({ [text]: text }))).toEqual({ [text]: text });
  expect(json(text)).toMatch(/^[ -~\u{10200}]*$/u);
  expect(json("a\ud800b\\\udc00")).toBe('"a\\\\ud800b\\\\\\\\udc00"');
});
