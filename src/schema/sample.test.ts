import { describe, expect, test } from "bun:test";
import { one, SCHEMAS } from "./_schemas.ts";
import { compile } from "./dialect.ts";
import { sampleArguments, stringArguments } from "./sample.ts";

const itOf = (schema: unknown) => sampleArguments(one(schema)).args["it"];

describe("sampleArguments", () => {
  for (const [name, schema] of Object.entries(SCHEMAS))
    test(`is valid for ${name}`, () => {
      const compiled = compile(schema);
      if (compiled.ok !== true) throw new Error(JSON.stringify(compiled));
      const { args } = sampleArguments(schema);
      expect([compiled.validate(args), args]).toEqual([undefined, args]);
      expect(sampleArguments(schema)).toEqual({ args, guessed: expect.any(Array) });
    });

  test("names what it had to invent", () => {
    const schema = {
      type: "object",
      properties: {
        text: { type: "string" },
        fixed: { const: 1 },
        usual: { type: "boolean", default: true },
        shown: { type: "string", examples: ["e"] },
        chosen: { enum: ["a"] },
        made: { type: "array", items: { type: "string" }, minItems: 1 },
        given: { type: "object", properties: { a: { const: 1 } }, required: ["a"] },
        nothing: { type: "null" },
        optional: { type: "string" },
      },
      required: ["text", "fixed", "usual", "shown", "chosen", "made", "given", "nothing"],
    };
    expect(sampleArguments(schema)).toEqual({
      args: {
        text: "example",
        fixed: 1,
        usual: true,
        shown: "e",
        chosen: "a",
        made: ["example"],
        given: { a: 1 },
        nothing: null,
      },
      guessed: ["text", "made"],
    });
  });

  test("knows the formats", () => {
    const formats = ["date", "date-time", "time", "uri", "email", "uuid", "ipv4", "ipv6", "hostname", "constructor"];
    expect(formats.map((format) => itOf({ type: "string", format }))).toEqual([
      "2025-01-01",
      "2025-01-01T12:00:00Z",
      "12:00:00Z",
      "https://example.com/",
      "user@example.com",
      "00000000-0000-4000-8000-000000000000",
      "192.0.2.1",
      "2001:db8::1",
      "host.example.com",
      "example",
    ]);
  });

  test("takes an exclusive bound of draft-04", () =>
    expect(itOf({ type: "integer", minimum: 3, exclusiveMinimum: true })).toBe(4));

  test("gives no arguments where there is no schema", () => {
    for (const schema of [undefined, null, 1, "a", [], true, { properties: null, required: 5, allOf: {}, type: [1] }])
      expect(sampleArguments(schema)).toEqual({ args: {}, guessed: [] });
  });

  test("ends on hostile schemas", () => {
    const wide = (name: string) => ({
      type: "object",
      properties: Object.fromEntries([..."abcdefgh"].map((key) => [key, { $ref: `#/$defs/${name}` }])),
      required: [..."abcdefgh"],
    });
    const defs = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d${i}`, wide(`d${i + 1}`)]));
    const doubled = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`d${i}`, { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) }]),
    );
    // Whatever followed the schema as it is written would never end.
    for (const schema of [
      { ...wide("d0"), $defs: defs },
      { $ref: "#/$defs/d0", $defs: doubled },
      { $ref: "#", required: ["a"], properties: { a: { $ref: "#" } } },
      one({ type: "array", minItems: 1e9, items: { type: "array", minItems: 1e9, items: { type: "string" } } }),
      one({ type: "string", minLength: 1e12 }),
      one({ type: "string", pattern: "(((a{999}){999}){999}){999}" }),
      one({ type: "string", pattern: "^(a+)+$", minLength: 50 }),
      one({ type: "object", minProperties: 1e12 }),
      one({ type: "integer", minimum: 1e308, multipleOf: 1e-300 }),
    ])
      expect(sampleArguments(schema)).toBeDefined();
  }, 30_000);

  test("treats __proto__ as any other name", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"const":5}},"required":["__proto__"]}');
    const { args } = sampleArguments(schema);
    expect([Object.keys(args), Object.getPrototypeOf(args)]).toEqual([["__proto__"], Object.prototype]);
  });
});

describe("stringArguments", () => {
  test("lists what may be filled with any text", () => {
    const schema = {
      type: "object",
      properties: {
        q: { type: "string", description: "What to look for" },
        at: { type: ["string", "null"], format: "uri" },
        maybe: { anyOf: [{ type: "null" }, { type: "string" }] },
        named: { $ref: "#/$defs/name" },
        level: { type: "string", enum: ["a"] },
        kind: { type: "string", const: "k" },
        n: { type: "integer" },
        any: {},
        always: true,
      },
      required: ["q", "n"],
      $defs: { name: { type: "string" } },
    };
    expect(stringArguments(schema)).toEqual([
      { name: "q", description: "What to look for", required: true },
      { name: "at", format: "uri", required: false },
      { name: "maybe", required: false },
      { name: "named", required: false },
    ]);
    expect(stringArguments(undefined)).toEqual([]);
  });
});
