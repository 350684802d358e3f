import { describe, expect, test } from "bun:test";
import { isBase64, isToolName, isUri, isUriTemplate } from "./forms.ts";
import { shapesOf } from "./shapes.ts";

const { result, request, notification, envelope } = shapesOf("2025-11-25");

describe("a complaint", () => {
  const judge = (method: string, value: unknown) => result(method)?.(value, "/result");

  test("names the place, what belongs there and what is there", () => {
    expect(judge("tools/list", { tools: [{ inputSchema: { type: "object" } }] })).toEqual({
      path: "/result/tools/0/name",
      expected: "a string",
      actual: "nothing",
    });
    expect(judge("tools/list", { tools: [null] })).toEqual({
      path: "/result/tools/0",
      expected: "an object",
      actual: "null",
    });
    expect(judge("tools/list", { tools: [], nextCursor: null })).toEqual({
      path: "/result/nextCursor",
      expected: "a string",
      actual: "null",
    });
    expect(judge("tools/call", { content: [{ type: "video" }] })).toEqual({
      path: "/result/content/0/type",
      expected: 'one of "text", "image", "audio", "resource_link", "resource"',
      actual: '"video"',
    });
    expect(judge("resources/read", { contents: [{ uri: "a:b", blob: "x".repeat(99) }] })).toEqual({
      path: "/result/contents/0/blob",
      expected: "base64 text",
      actual: `"${"x".repeat(59)}…"`,
    });
    const completion = { values: Array.from({ length: 101 }, () => "") };
    expect(judge("completion/complete", { completion })).toEqual({
      path: "/result/completion/values",
      expected: "at most 100 items",
      actual: "101 items",
    });
    const annotated = { uri: "a:b", name: "a", annotations: { priority: 1.5 } };
    expect(judge("resources/list", { resources: [annotated] })).toEqual({
      path: "/result/resources/0/annotations/priority",
      expected: "a number from 0 to 1",
      actual: "1.5",
    });
  });

  test("escapes names in its pointer", () =>
    expect(
      judge("tools/list", { tools: [{ name: "a", inputSchema: { type: "object", properties: { "a/~": 1 } } }] }),
    ).toEqual({ path: "/result/tools/0/inputSchema/properties/a~1~0", expected: "an object", actual: "a number" }));

  test("is made where a required member of any kind is missing", () =>
    expect(notification("notifications/message")?.({ level: "info" }, "/params")).toEqual({
      path: "/params/data",
      expected: "a value",
      actual: "nothing",
    }));
});

describe("shapes", () => {
  test("exist for what a server of this revision may send", () => {
    expect(result("tools/list")).toBeFunction();
    for (const method of ["sampling/createMessage", "tools/delete", "__proto__", "constructor", ""])
      expect(result(method)).toBeUndefined();
    expect(request("tools/call")).toBeUndefined();
    expect(notification("notifications/roots/list_changed")).toBeUndefined();
  });

  test("tell params that are not there from params that are null", () => {
    expect(request("ping")?.(undefined, "/params")).toBeUndefined();
    expect(request("ping")?.(null, "/params")).toMatchObject({ expected: "an object", actual: "null" });
    expect(request("elicitation/create")?.(undefined, "/params")).toMatchObject({ actual: "nothing" });
  });

  test("of an older revision are those of 2025-11-25", () =>
    expect(shapesOf("2024-11-05").result("tools/list")).toBe(result("tools/list")));

  test("see inherited members nowhere", () => {
    expect(envelope(JSON.parse('{"__proto__":{"jsonrpc":"2.0","id":1,"result":{}}}'), "")).toMatchObject({
      path: "/jsonrpc",
      actual: "nothing",
    });
    expect(result("prompts/get")?.({ messages: [{ role: "user", content: { type: "toString" } }] }, "")).toMatchObject({
      path: "/messages/0/content/type",
    });
  });
});

describe("texts", () => {
  const sorted = (is: (text: string) => boolean, right: readonly string[], wrong: readonly string[]) =>
    expect([right.filter((text) => !is(text)), wrong.filter(is)]).toEqual([[], []]);

  test("of base64 are padded and of one alphabet", () =>
    sorted(
      isBase64,
      ["", "AA==", "AAA=", "AAAA", "+/+/"],
      ["A", "AA", "AAA", "A===", "AA=A", "AA_-", "AAAA\n", " ", "===="],
    ));

  test("of a URI have a scheme and no spaces", () =>
    sorted(
      isUri,
      [
        "file:///a",
        "a:b",
        "custom+x.y-z://h/p?q#f",
        "data:,a",
        "urn:isbn:1",
        "https://example.com/ä",
        "a:",
        "a:%2F[1]",
      ],
      [
        ...["", "a", "/a", "1a:b", "a:b c", "a b:c", "a:\n", "a:\u0000", ":a", "a:\u00a0", "a:b\u0085"],
        ...["C:\\a", "a:{b}", "a:<b>", 'a:"b"', "a:b|c", "a:%", "a:%zz"],
      ],
    ));

  test("of a URI template have their braces in pairs", () =>
    sorted(
      isUriTemplate,
      ["a:{b}", "{+a}", "a:b", "a:{b,c}/{?d*}"],
      ["", "a:{", "a:}", "a:{}", "a:{{b}}", "a:{b c}", "a b"],
    ));

  test("of a tool's name have 1 to 128 characters of its alphabet", () =>
    sorted(isToolName, ["a", "A.b_c-1", "x".repeat(128)], ["", "a b", "a,b", "a/b", "ä", "a\n", "x".repeat(129)]));
});
