import { describe, expect, test } from "bun:test";
import { alone } from "../matrix/alone.ts";
import type { Answer, Bendable } from "../model/bendable.ts";

const NEW = "2026-07-28";
const FORM = { message: "Sure?", requestedSchema: { type: "object", properties: { sure: { type: "boolean" } } } };
const ASKING: Answer = {
  result: {
    resultType: "input_required",
    inputRequests: { sure: { method: "elicitation/create", params: FORM } },
    requestState: "1",
  },
};
const STATE: Answer = { result: { resultType: "input_required", requestState: "" } };
const LACKING: Answer = {
  error: { code: -32021, message: "no", data: { requiredCapabilities: { elicitation: {} } } },
};
const answering = (method: string, answer: Answer) => (server: Bendable) => server.answer(method, () => answer);

describe.each([
  ["tools-call", "tools/call"],
  ["resources-read", "resources/read"],
  ["prompts-get", "prompts/get"],
])("%s", (id, method) => {
  test("passes with a note for a question back, or a state to come back with", async () => {
    for (const answer of [ASKING, STATE]) {
      const outcome = await alone(id, answering(method, answer), {}, NEW);
      expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("asks for input first") });
    }
  });

  test("passes with a note where a capability of the client is wanted", async () => {
    const outcome = await alone(id, answering(method, LACKING), {}, NEW);
    expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("wants a capability") });
  });

  test("fails for both in a revision that knows neither", async () => {
    expect(await alone(id, answering(method, ASKING))).toMatchObject({ status: "fail" });
    if (id !== "tools-call") expect(await alone(id, answering(method, LACKING))).toMatchObject({ status: "fail" });
  });
});

test("tools-content-types and tools-output-schema judge no question back", async () => {
  const bend = answering("tools/call", ASKING);
  expect(await alone("tools-content-types", bend, {}, NEW)).toMatchObject({ status: "skipped" });
  expect(await alone("tools-output-schema", bend, {}, NEW)).toMatchObject({ status: "pass" });
});

describe("tools-output-schema", () => {
  const giving = (outputSchema: object, structuredContent: unknown) => (server: Bendable) => {
    server.edit("tools/list", ({ tools }) => {
      for (const tool of Array.isArray(tools) ? tools : []) if (tool.name === "add") tool.outputSchema = outputSchema;
    });
    server.tool("add", () => ({ content: [{ type: "text", text: "2" }], structuredContent }));
  };

  test("takes any root type, and every value that the schema allows", async () => {
    for (const [schema, value] of [
      [{ type: ["number", "null"] }, null],
      [{}, null],
      [{ type: "array", items: { type: "number" } }, [2]],
      [{ type: "string" }, ""],
      [{ enum: [false] }, false],
      [{ $ref: "#/$defs/sum", $defs: { sum: { type: "number" } } }, 0],
    ] as const) {
      expect(await alone("tools-output-schema", giving(schema, value), {}, NEW)).toMatchObject({ status: "pass" });
    }
  });

  test("still wants a value, and one that conforms", async () => {
    for (const [schema, value] of [
      [{ type: "number" }, null],
      [{}, undefined],
      [{ type: "array" }, { 0: 2 }],
    ] as const) {
      expect(await alone("tools-output-schema", giving(schema, value), {}, NEW)).toMatchObject({ status: "fail" });
    }
  });
});
