import { expect, test } from "bun:test";
import type { Row } from "../model/catalog.ts";
import { blocked, fail, type Outcome, pass, skipped } from "../model/outcome.ts";
import type { Verdict } from "../model/report.ts";
import { progressOn } from "./progress.ts";

const nothing = () => [];
const row = (id: string): Row => ({ id }) as Row;
const verdict = (id: string, outcome: Outcome, more: Partial<Verdict> = {}): Verdict => ({
  row: row(id),
  title: "",
  why: "",
  fix: "",
  required: true,
  outcome,
  evidence: [],
  ms: 0,
  ...more,
});

function progress(how: {
  readonly isTTY?: boolean;
  readonly verbose?: boolean;
  readonly columns?: number;
  readonly dumb?: boolean;
}) {
  let out = "";
  let now = 0;
  const stream = {
    ...how,
    write(text: string) {
      out += text;
    },
  };
  const redact = (text: string) => text.replaceAll("hush", "$TOKEN");
  const on = progressOn(stream, { verbose: how.verbose === true, dumb: how.dumb === true, redact, clock: () => now });
  const later = (ms: number) => {
    now += ms;
  };
  return { ...on, later, out: () => out };
}

test("--verbose: a line per test as documented, inert and without secrets", () => {
  const { tell, out } = progress({ verbose: true, isTTY: true });
  tell(verdict("a-pass", pass("hush was seen", "a note"), { attempts: 2 }), 1, 5, nothing);
  tell(verdict("a-fail", fail("x", "\u001b[31m::error\ny")), 2, 5, nothing);
  tell(verdict("a-block", blocked("no answer")), 3, 5, nothing);
  tell(verdict("a-skip", skipped("not declared")), 4, 5, nothing);
  tell(verdict("an-error", { status: "error", because: "TypeError" }), 5, 5, nothing);
  expect(out().split("\n")).toEqual([
    "PASS a-pass: $TOKEN was seen (a note) (attempt 2)",
    "FAIL a-fail: expected x, got \\u001b[31m::error y",
    "FAIL a-block: Cannot be evaluated: no answer",
    "SKIP a-skip: not declared",
    "ERROR an-error: TypeError",
    "",
  ]);
});

test("on a terminal one line is written over: how many of how many, what runs now, for how long", () => {
  const { starting, tell, done, later, out } = progress({ isTTY: true, columns: 40 });
  starting(row("first-check"), 2);
  later(2500);
  tell(verdict("first-check", pass("x")), 1, 2, nothing);
  starting(row(`second-${"x".repeat(50)}`), 2);
  done();
  const lines = out().split("\r\u001b[2K").slice(1);
  expect(lines.slice(0, 2)).toEqual(["0/2  first-check  0 s", "1/2  first-check  2 s"]);
  expect(lines[2]?.length).toBe(39);
  expect(lines.at(-1)).toBe("");
});

test("elsewhere a plain line now and then", () => {
  const { starting, tell, done, later, out } = progress({});
  starting(row("a"), 3);
  tell(verdict("a", pass("x")), 1, 3, nothing);
  later(12_000);
  tell(verdict("b", pass("x")), 2, 3, nothing);
  tell(verdict("c", pass("x")), 3, 3, nothing);
  done();
  expect(out()).toBe("2 of 3 checks, 12 s\n");
});

test("a terminal that can't go back in its line gets the same", () => {
  const { starting, tell, say, done, later, out } = progress({ isTTY: true, dumb: true });
  say("waiting");
  starting(row("a"), 3);
  later(12_000);
  tell(verdict("a", pass("x")), 1, 3, nothing);
  done();
  expect(out()).toBe("waiting\n1 of 3 checks, 12 s\n");
});
