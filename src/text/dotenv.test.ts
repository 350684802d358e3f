import { expect, test } from "bun:test";
import { parseEnv } from "node:util";
import { parseDotenv } from "./dotenv.ts";

test("the usual forms are read", () => {
  const text = [
    "# a comment",
    "PLAIN=value",
    "  SPACED = two words  # a comment",
    "HASH=a#b",
    "EMPTY=",
    'DOUBLE="a # b\\n\\"c\\" \\\\"',
    "SINGLE='a # b\\n $HOME'",
    'BACK=`it\'s "so"`',
    'MANY="first',
    'second"',
    "export SHELL_LIKE=x",
    "URL=https://h/?a=b&c=d",
    "dotted.name-x=1",
  ].join("\n");
  const expected = {
    PLAIN: "value",
    SPACED: "two words",
    HASH: "a#b",
    EMPTY: "",
    DOUBLE: 'a # b\n"c" \\',
    SINGLE: "a # b\\n $HOME",
    BACK: 'it\'s "so"',
    MANY: "first\nsecond",
    SHELL_LIKE: "x",
    URL: "https://h/?a=b&c=d",
    "dotted.name-x": "1",
  };
  expect<unknown>(parseDotenv(text)).toEqual(expected);
  // As editors on Windows write it.
  expect<unknown>(parseDotenv(`\ufeff${text.replaceAll("\n", "\r\n")}\r\n`)).toEqual(expected);
});

test("what the runtime's own parser reads is read the same", () => {
  const text = "A=1\nB='x y'\n\n#c\nexport C=\"l1\\nl2\"\nD=  z  \nE=`q`\n";
  expect<unknown>(parseDotenv(text)).toEqual({ ...parseEnv(text) });
});

test("a line that is none is named", () => {
  expect(() => parseDotenv("A=1\nnonsense\n")).toThrow("line 2: write NAME=VALUE");
  expect(() => parseDotenv("A: 1")).toThrow("line 1: write NAME=VALUE (with =, not :)");
  expect(() => parseDotenv('\n\nA="x\ny')).toThrow('line 3: the " of A is never closed');
  expect(() => parseDotenv("A='x' y")).toThrow("line 1: there is more after the closing ' of A");
  expect(Object.keys(parseDotenv("__proto__=1"))).toEqual(["__proto__"]);
});
