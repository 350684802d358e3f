import { describe, expect, test } from "bun:test";
import { compile } from "./dialect.ts";

const verdict = (schema: unknown, value: unknown): unknown => {
  const compiled = compile(schema);
  return compiled.ok === true ? (compiled.validate(value) ?? "valid") : compiled;
};

describe("a hostile schema", () => {
  const doubled = (most: number, how: string) => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: most + 1 }, (_, i) => [
        `d${i}`,
        i === most ? {} : { [how]: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) },
      ]),
    ),
  });

  test("is not judged where it is too large or too deep", () => {
    const deep = (levels: number) => JSON.parse(`${'{"not":'.repeat(levels)}{}${"}".repeat(levels)}`);
    expect(compile({ enum: ["x".repeat(300_000)] })).toMatchObject({ reason: "is larger than 262144 characters" });
    expect(compile(deep(5000))).toMatchObject({ reason: "is nested more than 100 deep" });
    expect(verdict(deep(90), 1)).toBe("valid");
  });

  test("can't refer to itself without end", () => {
    expect(verdict({ $ref: "#" }, 1)).toBe("valid");
    expect(verdict({ allOf: [{ $ref: "#" }, { $ref: "#" }] }, 1)).toBe("valid");
    expect(verdict(doubled(60, "allOf"), 1)).toBe("valid");
    expect(verdict(doubled(60, "oneOf"), 1)).toBe("valid");
  });

  test("can't grow by references to a large part", () => {
    const many = (count: number, make: (i: number) => unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, make(i)]));
    const large = { properties: many(1000, () => ({ type: "string" })) };
    verdict({ properties: many(3000, () => ({ $ref: "#/$defs/large" })), $defs: { large } }, { p1: {} });
    verdict({ properties: many(3000, () => ({ type: "string" })) }, { p1: 1 });
  });

  test("can't stop the tester with a pattern", () => {
    const text = `${"a".repeat(5000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "a*a*a*a*a*b", "^(a?){30}a{30}b$", "(a*)*b", "^((a|b)+,?)+$"])
      expect(verdict({ pattern }, text)).toBe("valid");
    expect(verdict({ pattern: "^(a+)+$" }, "aaaa!")).toBe('the value must match pattern "^(a+)+$"');
    expect(verdict({ not: { pattern: "^(a+)+$" } }, text)).toBe("valid");
    expect(compile({ pattern: "a".repeat(501) })).toMatchObject({ reason: "has a pattern of 501 characters" });
    expect(compile({ pattern: "(?i)a" })).toMatchObject({
      ok: "unknown-dialect",
      reason: "has the pattern (?i)a, which is none in ECMAScript",
    });
    expect(compile({ patternProperties: { "(": {} } })).toMatchObject({ ok: "unknown-dialect" });
  });

  test("can't make items be compared without end", () => {
    const items = Array.from({ length: 50_000 }, (_, i) => ({ i }));
    expect(verdict({ uniqueItems: true }, items)).toBe("valid");
    const choices = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
    verdict(
      { items: { enum: choices } },
      Array.from({ length: 50_000 }, () => "v19999"),
    );
  });
});
