import { expect, test } from "bun:test";
import { headerValue } from "./header-value.ts";

test("values are encoded as the specification's examples are", () => {
  expect(["plain text", "Hello, 世界", " padded ", "=?base64?literal?="].map(headerValue)).toEqual([
    "plain text",
    "=?base64?SGVsbG8sIOS4lueVjA==?=",
    "=?base64?IHBhZGRlZCA=?=",
    "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
  ]);
});
