import { expect, test } from "bun:test";
import { internalPaths, stackFrame } from "./scan-stack.ts";

const FRAMES: readonly string[] = [
  "Error: x\n    at Object.<anonymous> (/srv/a.js:1:2)",
  "Error: x\n    at async Promise.all (index 0)",
  "Error: x at call (/srv/app/a.js:10:5) at main (/srv/app/b.js:3:1)",
  "Error: x\\n    at handle (file:///app/a.js:1:2)",
  "<pre>Error<br> &nbsp; &nbsp;at JSON.parse (&lt;anonymous&gt;)<br></pre>",
  "TypeError: x\n    at new Foo (node:internal/url:816:29)",
  "Traceback (most recent call last):\n  ...",
  '  File "/app/main.py", line 3, in <module>',
  "x\n\tat org.example.A.b(A.java:3)",
  "x\n\tat java.base/java.lang.Thread.run(Thread.java:1583)",
  "x\n   at A.B.C(Int32 i) in /src/a.cs:line 3",
  "panic\ngoroutine 7 [chan receive]:\n",
  "thread 'main' panicked at src/main.rs:4:5:\nno",
  "a.rb:3:in `b'",
  "Stack trace:\n#0 /var/www/a.php(3): f()",
];

const PROSE: readonly string[] = [
  "Unexpected token at line 3, column 5",
  "look at example.com:80 for help",
  "the file a.js:1:2 is not there",
  "meet at 10:30:15 (local time)",
  "Access denied - path outside allowed directories: /etc/passwd",
  "invalid arguments at /path/0/name",
  "Error: a stack trace is in the log",
  'MCP error -32602: Input validation error: [\n  {\n    "path": ["a"]\n  }\n]',
];

test("frames of each runtime are found, also inside HTML and JSON", () => {
  expect(FRAMES.filter((text) => stackFrame(text) === undefined)).toEqual([]);
});

test("prose about errors is no frame", () => {
  expect(PROSE.filter((text) => stackFrame(text) !== undefined)).toEqual([]);
});

test("a long hostile text is read in little time", () => {
  // Were the time quadratic, it would be minutes.
  expect(stackFrame(`\n at ${"a.".repeat(200_000)}(${" ".repeat(200_000)}`)).toBeUndefined();
  expect(stackFrame("at ( ".repeat(200_000))).toBeUndefined();
}, 30_000);

test("paths of the server are found, URLs and relative paths are not", () => {
  expect(internalPaths("no such file: /home/me/app/db.sqlite.")).toEqual(["/home/me/app/db.sqlite"]);
  expect(internalPaths("open C:\\Users\\me\\a.txt failed")).toEqual(["C:\\Users\\me\\a.txt"]);
  expect(internalPaths("see https://example.com/home/me/x and ./app/x or a/usr/lib/x")).toEqual([]);
});
