import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../model/json.ts";
import { SAMPLES, type Sample } from "./_messages.ts";
import { mutations } from "./_mutations.ts";
import { isBase64, isUri, isUriTemplate } from "./forms.ts";
import { has } from "./shape.ts";
import { shapesOf } from "./shapes.ts";

const shapes = shapesOf("2025-11-25");

function ours({ of, method }: Sample, value: unknown): string | undefined {
  const shape = of === "envelope" ? shapes.envelope : shapes[of](method);
  if (shape === undefined) return `no ${of} ${method}`;
  const found = shape(value, "");
  return found === undefined ? undefined : `${found.path}: expected ${found.expected}, got ${found.actual}`;
}

describe("a right message", () => {
  for (const sample of SAMPLES)
    test(`of ${sample.definition} ${JSON.stringify(sample.value)?.slice(0, 30)} is right`, () =>
      expect(ours(sample, sample.value)).toBeUndefined());
});

describe("the shapes agree with the official schema", () => {
  const file = join(import.meta.dir, "../../../shared/spec/official/2025-11-25.schema.json");
  if (!existsSync(file)) {
    console.warn(`\n*** NOT COMPARED with the official schema: ${file} is not there ***\n`);
    test.skip("on mutations of every message", () => {});
    return;
  }
  const official = officialVerdicts(JSON.parse(readFileSync(file, "utf8")));
  const used = new Set<string>();
  let compared = 0;

  for (const sample of SAMPLES)
    test(`on mutations of ${sample.definition} ${JSON.stringify(sample.value)?.slice(0, 30)}`, () => {
      expect(official(sample, sample.value)).toBe(true);
      for (const value of mutations(sample.value)) {
        compared += 1;
        const complaint = ours(sample, value);
        if ((complaint === undefined) === official(sample, value)) continue;
        const excuse = EXCEPTIONS.find((each) => each.applies(sample, value, complaint));
        if (excuse === undefined) throw new Error(`${sample.definition}: ${complaint} for ${JSON.stringify(value)}`);
        used.add(excuse.reason);
      }
    });

  test("but for the exceptions, each of which occurs", () => {
    expect([...used].sort()).toEqual(EXCEPTIONS.map(({ reason }) => reason).sort());
  });

  test("on thousands of them", () => expect(compared).toBeGreaterThan(100_000));
});

interface Exception {
  /** Why we are stricter or laxer on purpose. */
  readonly reason: string;
  applies(sample: Sample, value: unknown, complaint: string | undefined): boolean;
}

// The formats byte, uri and uri-template are compared too, with our own notion of them.
const EXCEPTIONS: readonly Exception[] = [
  {
    reason: "stricter: at most 100 completion values is prose in the schema (completion#completion-results)",
    applies: (_, __, complaint) => /^\/completion\/values: expected at most 100 items/.test(complaint ?? ""),
  },
  {
    reason: "stricter: the answer to tools/call is a tool's result as soon as it has content",
    applies: ({ definition }, value, complaint) =>
      definition === "CreateTaskResult" && complaint !== undefined && has(value, "content"),
  },
  {
    reason: "stricter: a choice with a broken list of choices passes officially as a text with unknown members",
    applies: ({ method }, _, complaint) =>
      method === "elicitation/create" &&
      /^\/requestedSchema\/properties\/[^/]+\/(enum|enumNames|oneOf|items)\b/.test(complaint ?? ""),
  },
  {
    reason: "stricter: a request with a broken id passes officially as a notification with an unknown member",
    applies: ({ of }, value, complaint) =>
      of === "envelope" && has(value, "method") && /^\/id: expected a string or an integer/.test(complaint ?? ""),
  },
  {
    reason: "stricter: a message with a result and an error passes officially if either is right",
    applies: ({ of }, _, complaint) => of === "envelope" && /got a result and an error$/.test(complaint ?? ""),
  },
  {
    reason: "stricter: a message with a method is no response, whatever else it has",
    applies: ({ of }, value, complaint) =>
      of === "envelope" &&
      complaint !== undefined &&
      has(value, "method") &&
      (has(value, "result") || has(value, "error")),
  },
  {
    reason: "laxer: an error whose id is null is right in JSON-RPC 2.0",
    applies: ({ of }, value, complaint) =>
      of === "envelope" && complaint === undefined && isObject(value) && has(value, "error") && value["id"] === null,
  },
];

function officialVerdicts(schema: object): (sample: Sample, value: unknown) => boolean {
  const formats = { byte: isBase64, uri: isUri, "uri-template": isUriTemplate };
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema(schema, "official");
  return ({ definition, of, method }, value) => {
    const verdict = ajv.getSchema(`official#/$defs/${definition}`);
    if (verdict === undefined) throw new Error(`the official schema has no ${definition}`);
    const params = value === undefined ? {} : { params: value };
    if (of === "request") return verdict({ jsonrpc: "2.0", id: 1, method, ...params }) === true;
    return verdict(of === "notification" ? { jsonrpc: "2.0", method, ...params } : value) === true;
  };
}
