import { expect, test } from "bun:test";
import { parseJsonc } from "./jsonc.ts";

const trouble = (text: string): string => {
  try {
    return `no error: ${JSON.stringify(parseJsonc(text))}`;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : "?";
  }
};

test("comments, trailing commas and a byte order mark are let pass", () => {
  const text = `\ufeff// first
  { /* of
  two lines */ "a": [1, -2.5e3, true, null,], // after
    "url": "https://h/*no comment*/", "e": {}, "f": [],
  }
  // last`;
  expect(parseJsonc(text)).toEqual({ a: [1, -2500, true, null], url: "https://h/*no comment*/", e: {}, f: [] });
});

test("what JSON.parse reads is read the same", () => {
  for (const text of ['{"a\\u00e9\\n":"\\"\\\\/"}', "[]", '"x"', "-0.5", "null", '{"a":1,"a":2}', '[[[{"b":[{}]}]]]']) {
    expect([text, parseJsonc(text)]).toEqual([text, JSON.parse(text)]);
  }
  expect(Object.keys(parseJsonc('{"__proto__":1}') as object)).toEqual(["__proto__"]);
});

test("a mistake is named with its line and column", () => {
  expect(trouble("")).toBe("line 1, column 1: the file is empty");
  expect(trouble('{\r\n  "a": 1\r\n  "b": 2 }')).toBe('line 3, column 3: unexpected "\\"", where a comma or } is due');
  expect(trouble("{ 'a': 1 }")).toStartWith("line 1, column 3: a single quote: JSON's texts stand in double quotes");
  expect(trouble('{ "a" 1 }')).toBe('line 1, column 7: unexpected "1", where the : after "a" is due');
  expect(trouble('{ "a": yes }')).toBe('line 1, column 8: unexpected "yes"');
  expect(trouble('{ "a": 01 }')).toBe('line 1, column 8: unexpected "01"');
  expect(trouble('{ "a": [1, 2')).toBe("line 1, column 8: this [ is never closed");
  expect(trouble('{ "a": 1')).toBe("line 1, column 1: this { is never closed");
  expect(trouble('{ "a": "x\n" }')).toBe("line 1, column 8: the text that starts here is not closed on its line");
  expect(trouble('"\\x"')).toContain("none of JSON's");
  expect(trouble("/* x")).toBe("line 1, column 1: the comment that starts here is never closed");
  expect(trouble("{} {}")).toBe('line 1, column 4: unexpected "{" after the end of the value');
  expect(trouble(",")).toBe('line 1, column 1: unexpected ","');
  expect(trouble("[".repeat(1e5))).toContain("more than 100 levels of nesting");
});
