import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Sample } from "./_messages.ts";
import { mutations } from "./_mutations.ts";
import { isBase64, isUri, isUriTemplate } from "./forms.ts";
import { shapesOf } from "./shapes.ts";

/** Where we are stricter or laxer than the official schema on purpose. */
export interface Exception {
  readonly reason: string;
  applies(sample: Sample, value: unknown, complaint: string | undefined): boolean;
}

/** Where the official schemas and their examples are kept, outside the repository. */
export const OFFICIAL = join(import.meta.dir, "../../../shared/spec/official");

const MINUTE = 60_000;

/** What the shapes of a revision say of a message: a complaint in words, or undefined. */
export function complaintsOf(revision: string): (sample: Sample, value: unknown) => string | undefined {
  const shapes = shapesOf(revision);
  return ({ of, method }, value) => {
    const shape =
      of === "envelope" ? shapes.envelope : of === "error" ? shapes.error(Number(method)) : shapes[of](method);
    if (shape === undefined) return `no ${of} ${method}`;
    const found = shape(value, "");
    return found === undefined ? undefined : `${found.path}: expected ${found.expected}, got ${found.actual}`;
  };
}

/** Compares the shapes of a revision with the official schema on mutations of right messages. */
export function agree(
  revision: string,
  samples: readonly Sample[],
  exceptions: readonly Exception[],
  least: number,
): void {
  const ours = complaintsOf(revision);

  describe(`a right message of ${revision}`, () => {
    for (const sample of samples)
      test(`of ${sample.definition} ${JSON.stringify(sample.value)?.slice(0, 30)} is right`, () =>
        expect(ours(sample, sample.value)).toBeUndefined());
  });

  describe(`the shapes of ${revision} agree with the official schema`, () => {
    const file = join(OFFICIAL, `${revision}.schema.json`);
    if (!existsSync(file)) {
      console.warn(`\n*** NOT COMPARED with the official schema: ${file} is not there ***\n`);
      test.skip("on mutations of every message", () => {});
      return;
    }
    const official = officialVerdicts(JSON.parse(readFileSync(file, "utf8")));
    const used = new Set<string>();
    let compared = 0;

    for (const sample of samples)
      test(
        `on mutations of ${sample.definition} ${JSON.stringify(sample.value)?.slice(0, 30)}`,
        () => {
          expect(official(sample, sample.value)).toBe(true);
          for (const value of mutations(sample.value)) {
            compared += 1;
            const complaint = ours(sample, value);
            if ((complaint === undefined) === official(sample, value)) continue;
            const excuse = exceptions.find((each) => each.applies(sample, value, complaint));
            if (excuse === undefined)
              throw new Error(`${sample.definition}: ${complaint} for ${JSON.stringify(value)}`);
            used.add(excuse.reason);
          }
        },
        MINUTE,
      );

    test("but for the exceptions, each of which occurs", () => {
      expect([...used].sort()).toEqual(exceptions.map(({ reason }) => reason).sort());
    });

    test("on thousands of them", () => expect(compared).toBeGreaterThan(least));
  });
}

// --- internal ---

function officialVerdicts(schema: object): (sample: Sample, value: unknown) => boolean {
  const formats = { byte: isBase64, uri: isUri, "uri-template": isUriTemplate };
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema(schema, "official");
  return ({ definition, of, method }, value) => {
    const verdict = ajv.getSchema(`official#/$defs/${definition}`);
    if (verdict === undefined) throw new Error(`the official schema has no ${definition}`);
    const params = value === undefined ? {} : { params: value };
    if (of === "error") {
      const error = { code: Number(method), message: "", ...(value === undefined ? {} : { data: value }) };
      return verdict({ jsonrpc: "2.0", id: 1, error }) === true;
    }
    if (of === "request") return verdict({ jsonrpc: "2.0", id: 1, method, ...params }) === true;
    return verdict(of === "notification" ? { jsonrpc: "2.0", method, ...params } : value) === true;
  };
}
