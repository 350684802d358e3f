import { describe, expect, test } from "bun:test";
import { compile } from "./dialect.ts";

const verdict = (schema: unknown, value: unknown): unknown => {
  const compiled = compile(schema);
  return compiled.ok === true ? (compiled.validate(value) ?? "valid") : compiled;
};

const DIALECTS: Readonly<Record<string, readonly string[]>> = {
  "2020-12": ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft/2020-12/schema#"],
  "2019-09": ["https://json-schema.org/draft/2019-09/schema"],
  "draft-07": ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema"],
  "draft-06": ["http://json-schema.org/draft-06/schema#"],
};

describe("a dialect", () => {
  for (const [dialect, uris] of Object.entries(DIALECTS))
    for (const $schema of uris)
      test(`${dialect} is known as ${$schema}`, () => {
        const schema = { $schema, type: "object", properties: { a: { type: "integer" } } };
        expect(compile(schema)).toMatchObject({ ok: true, dialect });
        expect(verdict(schema, { a: 1 })).toBe("valid");
        expect(verdict(schema, { a: "1" })).toBe("/a must be integer");
        expect(compile({ $schema, type: "objekt" }).ok).toBe(false);
      });

  test("is 2020-12 where none is named", () => {
    expect(compile({ type: "object" })).toMatchObject({ ok: true, dialect: "2020-12" });
    expect(compile(true)).toMatchObject({ ok: true, dialect: "2020-12" });
    expect(compile({ type: "array", items: [{}] })).toEqual({ ok: false, reason: "/items must be object,boolean" });
  });

  test("that is not known is no mistake", () => {
    for (const dialect of ["http://json-schema.org/draft-04/schema#", "https://example.com/mine", "", "__proto__"])
      expect(compile({ $schema: dialect, type: 5 })).toEqual({
        ok: "unknown-dialect",
        dialect,
        reason: "names a dialect that is not known here",
      });
  });

  test("before 2019-09 ignores what stands beside a reference", () => {
    const schema = { properties: { a: { $ref: "#/definitions/a", type: "null" } }, definitions: { a: {} } };
    expect(verdict({ $schema: "http://json-schema.org/draft-07/schema#", ...schema }, { a: 1 })).toBe("valid");
    expect(verdict(schema, { a: 1 })).toBe("/a must be null");
  });
});

describe("a schema", () => {
  test("that is none is refused", () => {
    expect(compile(null)).toEqual({ ok: false, reason: "the schema is null, not an object or a boolean" });
    expect(compile([])).toEqual({ ok: false, reason: "the schema is an array, not an object or a boolean" });
    expect(compile(undefined)).toEqual({ ok: false, reason: "the schema is nothing, not an object or a boolean" });
    expect(compile({ $schema: 7 })).toEqual({ ok: false, reason: "/$schema is a number, not a URI" });
  });

  test("that breaks its meta-schema is refused", () => {
    expect(compile({ type: "object", required: null })).toEqual({ ok: false, reason: "/required must be array" });
    expect(compile({ properties: { a: { minLength: -1 } } })).toEqual({
      ok: false,
      reason: "/properties/a/minLength must be >= 0",
    });
    expect(compile({ properties: { a: "string" } })).toMatchObject({ ok: false });
  });

  test("that refers to nothing of its own is refused", () => {
    expect(compile({ $ref: "#/$defs/a" })).toEqual({ ok: false, reason: "refers to #/$defs/a, which is not there" });
    expect(compile({ $id: "https://a.example/b", $ref: "#c" })).toEqual({
      ok: false,
      reason: "refers to https://a.example/b#c, which is not there",
    });
  });

  test("that refers elsewhere is not judged", () => {
    for (const $ref of ["https://a.example/b", "http://127.0.0.1:1/#/$defs/a", "file:///etc/passwd", "other.json"])
      expect(compile({ properties: { a: { $ref } } })).toEqual({
        ok: "unknown-dialect",
        dialect: "2020-12",
        reason: `refers to ${$ref}, which is not followed`,
      });
  });

  test("may have the id of another one", () => {
    const $id = "https://a.example/b";
    expect(verdict({ $id, type: "string" }, 1)).toBe("the value must be string");
    expect(verdict({ $id, type: "integer" }, 1)).toBe("valid");
    expect(
      verdict({ $id, properties: { a: { $ref: `${$id}#/$defs/a` } }, $defs: { a: { type: "null" } } }, { a: 1 }),
    ).toBe("/a must be null");
    expect(compile({ $defs: { a: { $id }, b: { $id, type: "null" } } })).toMatchObject({ ok: false });
  });

  test("is not read as Ajv would read it", () => {
    expect(verdict({ $async: true, type: "string" }, 1)).toBe("the value must be string");
    expect(verdict({ id: "a", type: "string", nullable: true }, null)).toBe("the value must be string");
    expect(verdict({ properties: { nullable: { type: "string" } }, nullable: true }, { nullable: 1 })).toBe(
      "/nullable must be string",
    );
    expect(verdict({ type: "null", nullable: false, $data: 1, discriminator: 5 }, null)).toBe("valid");
  });

  test("may use words that nobody knows, and formats that nobody keeps", () =>
    expect(verdict({ "x-order": 1, type: "string", format: "email", minItems: 1 }, "not an address")).toBe("valid"));

  test("may have members of any name", () => {
    const schema = JSON.parse(
      '{"type":"object","__proto__":{"type":"null"},"properties":{"__proto__":{"type":"null"},"constructor":{"type":"string"}},"required":["constructor"]}',
    );
    expect(verdict(schema, {})).toBe("the value must have required property 'constructor'");
    expect(verdict(schema, JSON.parse('{"constructor":"a","__proto__":{"polluted":true}}'))).toBe("valid");
    for (const $ref of ["__proto__", "constructor", "#/__proto__", "#/constructor", "#/toString", "#__proto__"])
      expect(() => verdict({ $ref }, {})).not.toThrow();
    expect("polluted" in {}).toBe(false);
  });
});

describe("a complaint", () => {
  test("names what was wrong", () => {
    const schema = {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] }, b: { enum: ["x"] } },
      additionalProperties: false,
    };
    expect(verdict(schema, { c: 1 })).toBe('the value must NOT have additional properties ("c")');
    expect(verdict(schema, { a: 1 })).toBe("/a must match a schema in anyOf (/a must be string)");
    expect(verdict(schema, { b: 1 })).toBe('/b must be equal to one of the allowed values (["x"])');
  });

  test("is short", () => {
    const schema = { enum: Array.from({ length: 500 }, (_, i) => `value ${i}`) };
    expect(String(verdict(schema, 1)).length).toBeLessThanOrEqual(300);
  });
});

describe("a pattern", () => {
  test("that people write is judged", () => {
    const cases: readonly (readonly [pattern: string, right: string, wrong: string])[] = [
      ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "some-slug-here", "Some"],
      ["^[\\w-.]+$", "a-b.c", "a b"],
      ["^\\d{4}-\\d{2}-\\d{2}$", "2025-01-01", "2025-1-1"],
      ["^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "00000000-0000-4000-8000-000000000000", "0"],
      ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "someone.with.a.long.name@department.example.com", "someone"],
      ["^https?://", `https://example.com/${"a".repeat(5000)}`, "ftp://x"],
      ["^(\\d{1,3}\\.){3}\\d{1,3}$", "192.0.2.1", "192.0.2"],
      ["^\\p{Lu}[\\p{L} ]*$", "Éa b", "é"],
    ];
    for (const [pattern, right, wrong] of cases)
      expect([pattern, verdict({ pattern }, right), verdict({ pattern }, wrong)]).toEqual([
        pattern,
        "valid",
        expect.stringMatching(/^the value must match pattern/),
      ]);
  });
});
