import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import type { Exchange } from "../model/exchange.ts";
import { exchange } from "./_specimen.ts";
import { repro, type Scene } from "./repro.ts";

const posix = process.platform !== "win32";
const scene = (transcript: readonly Exchange[], more: Partial<Scene> = {}): Scene => ({
  transcript,
  url: "stdio:cat -u",
  redact: (text) => text,
  ...more,
});

/** What the line prints when run, without its wait. */
const output = (line: string): string => spawnSync("sh", ["-c", line.replace("sleep 2", ":")]).stdout.toString();

test.skipIf(!posix)("a line on stdio comes after the handshake of its process", () => {
  const line = (n: number, method: string, session = 1) =>
    exchange(n, { session, sent: { text: `{"id":${n},"method":"${method}"}` }, request: { id: n, method } });
  const transcript = [
    line(1, "initialize"),
    line(2, "notifications/initialized"),
    line(3, "initialize", 2),
    line(4, "tools/list"),
    line(5, "it's"),
  ];
  const told = scene(transcript, { reach: ["cat", "-u", "--", "-"], url: "stdio:cat -" });
  const text = repro(line(5, "it's"), told) ?? "";
  expect(text).toBe(
    `{ printf '%s\\n' '{"id":1,"method":"initialize"}' '{"id":2,"method":"notifications/initialized"}' ` +
      `'{"id":5,"method":"it'\\''s"}'; sleep 2; } | cat -u -- -`,
  );
  expect(output(text)).toBe(
    '{"id":1,"method":"initialize"}\n{"id":2,"method":"notifications/initialized"}\n{"id":5,"method":"it\'s"}\n',
  );
});

test.skipIf(!posix)("a line on stdio that can't be quoted is printed byte by byte", () => {
  const text = `not json\u0000\u001b é ${"z".repeat(5000)}`;
  const line = repro(exchange(1, { sent: { text } }), scene([], { url: "stdio:cat -u" })) ?? "";
  expect(line).toEndWith("; sleep 2; } | cat -u");
  expect(output(line)).toBe(`${text}\n`);
});

test("what came unasked, and what would fill the screen, has no line", () => {
  expect(repro(exchange(1, { end: "unsolicited" }), scene([]))).toBeUndefined();
  expect(repro(exchange(1, { sent: { text: "ab".repeat(9000) } }), scene([]))).toBeUndefined();
});
