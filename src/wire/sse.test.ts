import { expect, test } from "bun:test";
import { createSseReader } from "./sse.ts";

const stream =
  ': hello\r\nid: 1\r\ndata: \r\n\r\nevent: message\rid: 2\rretry: 50\rdata: {"a":\rdata: "é🚀"}\r\rdata: x\n\n';

test("a stream reads the same however it is cut", () => {
  const bytes = Buffer.from(stream);
  const whole = createSseReader().feed(bytes);
  expect(whole).toEqual([
    { id: "1", data: "" },
    { name: "message", id: "2", retry: "50", data: '{"a":\n"é🚀"}' },
    { data: "x" },
  ]);
  for (let size = 1; size < bytes.length; size++) {
    const reader = createSseReader();
    const events = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...reader.feed(bytes.subarray(at, at + size)));
    expect(events).toEqual([...whole]);
  }
});

test("comments and blank lines are no events, and foreign lines are told", () => {
  const reader = createSseReader();
  expect(reader.feed(Buffer.from(': keepalive\n\n\n\n{"jsonrpc":"2.0"}\n\ndata\n\n'))).toEqual([{ data: "" }]);
  expect(reader.badLines).toEqual(['{"jsonrpc":"2.0"}']);
});

test("data that no blank line closes is no event, but can be asked for", () => {
  const reader = createSseReader();
  expect(reader.feed(Buffer.from('data: {"a":\n'))).toEqual([]);
  expect(reader.unfinished()).toBe('{"a":');
  reader.feed(Buffer.from("data: 1}"));
  expect(reader.unfinished()).toBe('{"a":\n1}');
  expect(reader.feed(Buffer.from("\n\n"))).toEqual([{ data: '{"a":\n1}' }]);
  expect(reader.unfinished()).toBeUndefined();
});
