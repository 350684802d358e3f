import { expect, test } from "bun:test";
import { sorted } from "./formats.ts";
import { shapesOf } from "./shapes.ts";

const shape = shapesOf("2026-07-28").result("resources/read") ?? (() => undefined);
const read = (contents: readonly unknown[], more: object = {}) =>
  sorted(shape, { resultType: "complete", ttlMs: 0, cacheScope: "public", contents, ...more }, "/result");

test("a text of the wrong form is set aside, and does not hide what is really wrong", () => {
  const odd = { uri: "not a uri", text: "" };
  expect(read([odd, { uri: "a:b", blob: "_" }])).toEqual({
    formats: [
      { path: "/result/contents/0/uri", expected: "a URI", actual: '"not a uri"' },
      { path: "/result/contents/1/blob", expected: "base64 text", actual: '"_"' },
    ],
  });
  expect(read([odd, { uri: 5, text: "" }])).toEqual({
    complaint: { path: "/result/contents/1/uri", expected: "a URI", actual: "a number" },
    formats: [{ path: "/result/contents/0/uri", expected: "a URI", actual: '"not a uri"' }],
  });
});

test("a member whose name has a slash is found", () => {
  const icons = [{ src: "a b" }];
  const _meta = { "io.modelcontextprotocol/serverInfo": { name: "a", version: "1", icons } };
  expect(read([], { _meta }).formats).toEqual([
    {
      path: "/result/_meta/io.modelcontextprotocol~1serverInfo/icons/0/src",
      expected: "a URI",
      actual: '"a b"',
    },
  ]);
});
