import { expect, test } from "bun:test";
import { argumentsOf } from "./arguments.ts";
import { inputSchema } from "./test-schema.ts";

const { "~standard": schema } = argumentsOf(inputSchema({ addresses: "any", commands: [] }));
const complaint = async (given: unknown) => (await schema.validate(given)).issues?.[0]?.message;

test("arguments that are wrong are named, with what would be right", async () => {
  const url = "https://host/mcp";
  expect(await complaint({ url })).toBeUndefined();
  expect(await complaint({})).toBe("url is missing: give the URL of its endpoint (http or https)");
  expect(await complaint({ url, specVerson: "auto" })).toBe(
    'there is no argument "specVerson": did you mean specVersion?',
  );
  expect(await complaint({ url, bogus: 1 })).toContain('"bogus": the arguments are url, auth, headers, timeout');
  expect(await complaint({ url, specVersion: "2024-11-05" })).toBe(
    "specVersion is none of auto, 2025-11-25, 2026-07-28",
  );
  expect(await complaint({ url: "nope" })).toMatch(/^url must match .*: give the URL of its endpoint/);
  expect(await complaint({ url, timeout: "soon" })).toMatch(/^timeout must be integer: give milliseconds/);
  expect(await complaint([])).toContain("no object");
});
