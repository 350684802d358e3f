import { expect, test } from "bun:test";
import { createRedactor } from "../text/redact.ts";
import { exchange, posted } from "./_specimen.ts";
import { transcriptLines } from "./transcript.ts";

const keep = (text: string) => text;

test("a line for each exchange, of stdio and HTTP", () => {
  const lines = transcriptLines(
    [
      exchange(1, { received: [{ text: '{"id":1}', from: "stdout", at: 2.6 }] }),
      exchange(2, {
        sender: "server",
        end: "unsolicited",
        received: [{ text: "hello", from: "stdout", at: 3, problem: "not-json" }],
      }),
      posted(3, "{}", "{}"),
      posted(4, "{}", "", { end: "closed", cause: "reset (ECONNRESET)" }),
    ],
    keep,
  );
  expect(lines.endsWith("\n")).toBe(true);
  const parsed = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(parsed).toEqual([
    {
      ...{ exchange: 1, session: 1, sender: "tools-call-unknown", end: "reply", ms: 3 },
      sent: { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
      received: [{ from: "stdout", at: 3, text: '{"id":1}' }],
    },
    {
      ...{ exchange: 2, session: 1, sender: "server", end: "unsolicited", ms: 3 },
      received: [{ from: "stdout", at: 3, text: "hello", problem: "not-json" }],
    },
    {
      ...{ exchange: 3, session: 1, sender: "tools-call-unknown", end: "reply", ms: 3 },
      sent: {
        method: "POST",
        url: "https://example.com/mcp",
        headers: [
          ["Content-Type", "application/json"],
          ["Accept", "application/json, text/event-stream"],
        ],
        text: "{}",
      },
      received: [{ from: "body", at: 1, text: "{}" }],
      http: { status: 200, headers: [], bytes: 2, ended: true },
    },
    expect.objectContaining({ exchange: 4, end: "closed", cause: "reset (ECONNRESET)", received: [] }),
  ]);
  expect(transcriptLines([], keep)).toBe("");
});

test("no secret survives, wherever it stands", () => {
  const secret = 's3cr3t"\\x';
  const redact = createRedactor([{ name: "TOKEN", value: secret }]);
  const http = posted(1, secret, secret);
  const leaky = {
    ...http,
    sent: {
      text: secret,
      http: { method: "POST", url: `http://h/?q=${encodeURIComponent(secret)}`, headers: [["A", secret] as const] },
    },
    cause: secret,
    received: [{ text: secret, from: "sse" as const, at: 1, event: { name: secret, id: secret } }],
    http: {
      ...(http.http as NonNullable<typeof http.http>),
      headers: [[secret, secret] as const],
      badLines: [secret],
      events: [{ id: secret }],
    },
  };
  const line = transcriptLines([leaky, posted(2, "", secret, { received: [] })], redact);
  expect(line).not.toContain("s3cr3t");
  expect(line).toContain("$TOKEN");
});

test("what could steer a terminal or hide is an escape, and the value is the same", () => {
  const text = "\u001b[2J\u0000\u009b\u202e\u2028\ud800\u{e0041}é::error";
  const line = transcriptLines([posted(1, "{}", text)], keep);
  expect(line.trimEnd()).toMatch(/^[\x20-\x7eé]+$/);
  // Some parsers refuse a lone surrogate, so that it is text.
  expect(JSON.parse(line).received[0].text).toBe(text.replace("\ud800", "\\ud800"));
});

test("a server that talks too much is cut, and the line says so", () => {
  const text = "x".repeat(200_000);
  const received = Array.from({ length: 50 }, () => ({ text, from: "sse" as const, at: 1 }));
  const line = transcriptLines([posted(1, "{}", "", { received })], keep);
  expect(line.length).toBeLessThan(300_000);
  expect(JSON.parse(line).cut).toBeGreaterThan(9_000_000);
});
