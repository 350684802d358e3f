import { describe, expect, test } from "bun:test";
import type { Exchange } from "../../model/exchange.ts";
import { isObject } from "../../model/json.ts";
import { complaint, provoked, responsesIn, wrapped } from "./_responses.ts";
import { strays } from "./_stray.ts";

const result = (id: unknown) => ({ jsonrpc: "2.0", id, result: {} });
const request = (id: unknown, method = "ping") => ({ jsonrpc: "2.0", id, method });

/** An exchange on stdio, or over HTTP where a status is given. */
function exchange(n: number, sent: unknown, came: readonly unknown[], status?: number, method = "POST"): Exchange {
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  const http = { headers: [], body: "", bytes: 1, truncated: false, ended: true, badLines: [], events: [] };
  return {
    n,
    session: 1,
    sender: "a",
    sent: { text, ...(status === undefined ? {} : { http: { method, url: "http://a/mcp", headers: [] } }) },
    ...(isObject(sent) ? { request: sent } : {}),
    received: came.map((json) => ({
      text: JSON.stringify(json),
      from: status === undefined ? "stdout" : "body",
      at: n,
      ...(isObject(json) ? { message: json } : { json }),
    })),
    ...(status === undefined ? {} : { http: { ...http, status } }),
    end: sent === "" ? "unsolicited" : "complete",
    ms: 1,
  };
}

describe("which texts are responses", () => {
  test("the bodies of other pages and of HTTP refusals are none unless they say so", () => {
    const oauth = { error: "invalid_token", error_description: "expired" };
    expect(responsesIn([exchange(1, request(1), [oauth], 401)])).toEqual([]);
    expect(responsesIn([exchange(1, "", [{ result: 1 }], 200, "GET")])).toEqual([]);
    expect(
      responsesIn([exchange(1, request(1), [{ jsonrpc: "2.0", error: { code: 1, message: "" } }], 400)]),
    ).toHaveLength(1);
    expect(responsesIn([exchange(1, request(1), [oauth], 200)])).toHaveLength(1);
  });

  test("one without result and error is one", () => {
    const [first] = responsesIn([exchange(1, request(1), [{ jsonrpc: "2.0", id: 1 }], 200)]);
    expect(complaint(first?.message ?? {})).toEqual(["either a result or an error", "neither"]);
  });

  test("an array is legal where a batch was sent, or 2025-03-26 is spoken", () => {
    expect(wrapped([exchange(1, request(1), [[result(1)]], 200)])).toHaveLength(1);
    expect(wrapped([exchange(1, [request(1)], [[result(1)]], 200)])).toEqual([]);
    expect(wrapped([exchange(1, request(1), []), exchange(2, "", [[result(1)]])])).toHaveLength(1);
    const opening = { ...exchange(1, request(1), []), reply: { result: { protocolVersion: "2025-03-26" } } };
    expect(wrapped([opening, exchange(2, "", [[result(1)]])])).toEqual([]);
  });

  test("an error without an id is provoked only by what is no message", () => {
    const stray = exchange(3, "", [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "" } }]);
    expect(provoked([exchange(1, request(1), []), stray], stray)).toBe(false);
    expect(provoked([exchange(1, "{", []), stray], stray)).toBe(true);
    expect(provoked([exchange(1, { jsonrpc: "1.0", id: 1, method: "ping" }, []), stray], stray)).toBe(true);
  });
});

describe("which responses nobody asked for", () => {
  test("late answers, batches and bursts are asked for", () => {
    const burst = `${JSON.stringify(request(1))}\n${JSON.stringify(request("1"))}\n`;
    expect(strays([exchange(1, burst, []), exchange(2, "", [result(1)]), exchange(3, "", [result("1")])])).toEqual([]);
    expect(strays([exchange(1, [request(1), request(2)], [result(1), result(2)], 200)])).toEqual([]);
  });

  test("an id in a text that can't be parsed is asked for", () => {
    expect(strays([exchange(1, '{"jsonrpc":"2.0","id":"x7",', []), exchange(2, "", [result("x7")])])).toEqual([]);
  });

  test("another type, a later id and another request's are not", () => {
    expect(strays([exchange(1, request(1), []), exchange(2, "", [result("1")])])).toHaveLength(1);
    expect(strays([exchange(1, "", [result(0)]), exchange(2, request(0), [])])).toHaveLength(1);
    expect(strays([exchange(1, request(1), [result(1)], 200), exchange(2, request(2), [result(1)], 200)])).toHaveLength(
      1,
    );
  });

  test("an id made up for an HTTP refusal is told apart", () => {
    const refused = { jsonrpc: "2.0", id: "server-error", error: { code: -32600, message: "" } };
    expect(strays([exchange(1, request(1), [refused], 400)])).toMatchObject([{ id: "server-error", refusal: true }]);
    expect(strays([exchange(1, request(1), [{ ...refused, id: null }], 400)])).toEqual([]);
  });
});
