import { expect, test } from "bun:test";
import { reachOf } from "./reach.ts";

const http = (tls: object) => reachOf({ kind: "http", url: new URL("https://a.example/mcp"), headers: [], tls });

test("a URL is reached by curl's options for what the run was told", () => {
  expect(http({})).toEqual([]);
  expect(http({ insecure: true, ca: "PEM", caFile: "ca.pem" })).toEqual(["-k", "--cacert", "ca.pem"]);
  expect(http({ ca: "PEM" })).toEqual(["--cacert", "authorities.pem"]);
  expect(http({ proxy: new URL("http://me:w%20rd@proxy.example:3128") })).toEqual([
    "-x",
    "http://proxy.example:3128",
    "-U",
    "me:w rd",
  ]);
});

test("a command is reached by its words", () => {
  const command = { command: "node", args: ["a b.mjs", "--x"], env: {}, platform: "linux" } as const;
  expect(reachOf({ kind: "stdio", command })).toEqual(["node", "a b.mjs", "--x"]);
});
