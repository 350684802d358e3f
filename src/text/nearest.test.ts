import { expect, test } from "bun:test";
import { nearest } from "./nearest.ts";

test("a slip is mended, and what is near to nothing is left", () => {
  expect(nearest("tols-list", ["tools-call", "tools-list"])).toBe("tools-list");
  expect(nearest("something", ["tools-call", "tools-list"])).toBeUndefined();
  expect(nearest("TOOLS", ["tools", "resources"])).toBe("tools");
  expect(nearest("", ["A"])).toBeUndefined();
  expect(nearest("E", ["A", "B", "C", "D", "F"])).toBeUndefined();
});
