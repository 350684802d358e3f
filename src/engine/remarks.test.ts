import { expect, test } from "bun:test";
import { httpReply } from "../model/exchange.fixture.ts";
import type { End, Exchange } from "../model/exchange.ts";
import { goneWarning } from "./remarks.ts";

const exchange = (n: number, end: End, url = "http://127.0.0.1:1/mcp"): Exchange => ({
  n,
  session: 1,
  sender: `check-${n}`,
  sent: { text: "", http: { method: "POST", url, headers: [] } },
  request: { jsonrpc: "2.0", id: n, method: "tools/call", params: { name: "draw" } },
  received: [],
  ...(end === "unreachable" ? {} : { http: httpReply(200) }),
  end,
  ms: 1,
});

test("a server that is gone for good is told with the last that it answered", () => {
  const transcript = [
    exchange(1, "reply"),
    exchange(2, "reply"),
    exchange(3, "unreachable"),
    exchange(4, "unreachable"),
  ];
  expect(goneWarning([], transcript)).toContain("tools/call of draw (check-2), and from check-3 on");
});

test("nothing is told of a server that came back, was never there, or of another address", () => {
  for (const transcript of [
    [exchange(1, "reply"), exchange(2, "unreachable"), exchange(3, "reply")],
    [exchange(1, "unreachable")],
    [exchange(1, "reply"), exchange(2, "unreachable", "http://127.0.0.1:2/mcp")],
    [],
  ]) {
    expect(goneWarning([], transcript)).toBeUndefined();
  }
});
