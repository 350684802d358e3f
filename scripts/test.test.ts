import { expect, test } from "bun:test";
import { closing, failures, tallyOf } from "./test.ts";

test("the closing block is read", () => {
  const output =
    "a.test.ts:\n(pass) ok\n\n 2 pass\n 1 skip\n 1 todo\n 3 fail\n 1 error\n 1 expect() calls\nRan 7 tests across 3 files. [7.00ms]\n";
  expect(tallyOf(output)).toEqual({ passed: 2, failed: 3, skipped: 2 });
});

test("one test in one file, colours and CRLF are read", () => {
  const output = "\n\u001b[0m\u001b[32m 1 pass\u001b[0m\r\n 0 fail\r\nRan 1 test across 1 file. \u001b[0m[5.00ms]\r\n";
  expect(tallyOf(output)).toEqual({ passed: 1, failed: 0, skipped: 0 });
});

test("what tests print is not mistaken for the closing block", () => {
  const output = " 99 pass\n 0 fail\n(fail) no\n\n 4 pass\n 1 fail\nRan 5 tests across 1 file. [1.00ms]\n 7 pass\n";
  expect(tallyOf(output)).toEqual({ passed: 4, failed: 1, skipped: 0 });
});

test("no closing block, or one without a test that ran, is no tally", () => {
  expect(tallyOf("The following filters did not match any test files:\n x\n")).toBeUndefined();
  expect(tallyOf(" 0 pass\n 3 skip\n 0 fail\nRan 3 tests across 1 file. [1.00ms]\n")).toBeUndefined();
});

test("the closing line names skipped tests only where there are some", () => {
  expect(closing({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
  expect(closing({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
});

test("a failure is kept with what stood before it, however the output is cut", () => {
  const output =
    "a.test.ts:\n(pass) one [1.00ms]\n\u001b[31merror\u001b[0m: expected 1\n  at a.ts:1\n(fail) two [2.00ms]\n(pass) three\n";
  for (const size of [1, 7, 1000]) {
    const failed = failures();
    for (let at = 0; at < output.length; at += size) failed.take(output.slice(at, at + size));
    expect(failed.found).toEqual(["error: expected 1\n  at a.ts:1\n(fail) two [2.00ms]"]);
  }
});
