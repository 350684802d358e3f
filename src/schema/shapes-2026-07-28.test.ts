import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, isObject } from "../model/json.ts";
import { agree, complaintsOf, type Exception, OFFICIAL } from "./_agreement.ts";
import type { Sample } from "./_messages.ts";
import { SAMPLES } from "./_messages-2026-07-28.ts";
import { has } from "./shape.ts";

const EXCEPTIONS: readonly Exception[] = [
  {
    reason: "stricter: a result is one in between by its resultType, where the schema takes any as one",
    applies: ({ definition }, value, complaint) =>
      definition === "InputRequiredResult" && complaint !== undefined && at(value, "resultType") !== "input_required",
  },
  {
    reason: "laxer: what a result of another resultType holds is for an extension to say",
    applies: ({ definition }, value, complaint) =>
      ASKING.includes(definition) && complaint === undefined && !NAMED.includes(at(value, "resultType")),
  },
  {
    reason: "laxer: a free object of the schema may officially hold neither null nor fractions, which its text allows",
    applies: (_, value, complaint) => complaint === undefined && isFreeObject(value),
  },
  {
    reason: "stricter: a choice with a broken list of choices passes officially as a text with unknown members",
    applies: (_, __, complaint) =>
      /\/requestedSchema\/properties\/[^/]+\/(enum|enumNames|oneOf|items)\b/.test(complaint ?? ""),
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

/** It lacks ttlMs and cacheScope, and passes the schema only since anything with a resultType is an InputRequiredResult. */
const UNHINTED = "read-resource-result-response.json";

const ASKING: readonly string[] = ["CallToolResult", "ReadResourceResult", "GetPromptResult"];
const NAMED: readonly unknown[] = ["complete", "", undefined];

agree("2026-07-28", SAMPLES, EXCEPTIONS, 80_000);

describe("the official examples", () => {
  const ours = complaintsOf("2026-07-28");
  const folder = join(OFFICIAL, "2026-07-28.examples");
  if (!existsSync(folder)) {
    console.warn(`\n*** NOT READ: the official examples, ${folder} is not there ***\n`);
    test.skip("are right", () => {});
    return;
  }
  for (const definition of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, definition))) {
      const value: unknown = JSON.parse(readFileSync(join(folder, definition, name), "utf8"));
      const sample = asSample(definition, value);
      if (sample === undefined || name === UNHINTED) continue;
      test(`${definition}/${name} is right`, () => expect(ours(sample, sample.value)).toBeUndefined());
    }
  }
});

/** The shapes by which an example of a definition is judged: by that of a sample with it, and as a message. */
function asSample(definition: string, value: unknown): Sample | undefined {
  const result = definition.endsWith("ResultResponse") ? at(value, "result") : undefined;
  const of = SAMPLES.find((each) => each.definition === definition.replace(/Response$/, "").replace(/Params$/, ""));
  if (of === undefined) return undefined;
  if (result !== undefined) return { ...of, value: result };
  if (of.of === "error") return { ...of, value: at(value, "error", "data") };
  const whole = has(value, "method") && (of.of === "notification" || of.of === "request");
  return { ...of, value: whole ? at(value, "params") : value };
}

/** Whether null or a fraction stands somewhere within an object that is free by its definition. */
function isFreeObject(value: unknown, free = false): boolean {
  if (value === null || (typeof value === "number" && !Number.isInteger(value))) return free;
  if (Array.isArray(value)) return value.some((each) => isFreeObject(each, free));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, each]) => isFreeObject(each, free || FREE.has(name)));
}
const FREE: ReadonlySet<string> = new Set([
  "experimental",
  "extensions",
  "logging",
  "completions",
  "metadata",
  "context",
  "tools",
  "form",
  "url",
  "roots",
]);
