import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import { bendItem } from "./_listed.ts";

const tool = (members: object) => bendItem("tools", "clear_notes", (each) => Object.assign(each, members));
const resource = (members: object) => bendItem("resources", "logo", (each) => Object.assign(each, members));
const OLDER = { newest: "2025-06-18" };
/** An array of schemas for items was legal until draft 2019-09. */
const TUPLE = { type: "object", properties: { a: { type: "array", items: [{ type: "string" }] } } };

describe("tools-schema", () => {
  test("passes with a note for a name outside the form that clients expect", async () => {
    for (const name of ["Create CIFS Share", "x".repeat(129), "a,b", "größe"]) {
      const outcome = await alone("tools-schema", tool({ name }));
      expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("has a name outside") });
    }
    expect(await alone("tools-schema", tool({ name: "a.b_c-9" }))).not.toHaveProperty("note");
    expect(await alone("tools-schema", tool({ name: "Create CIFS Share" }), OLDER)).not.toHaveProperty("note");
  });

  test("passes with a note for a name that is listed twice", async () => {
    const outcome = await alone("tools-schema", tool({ name: "echo" }));
    expect(outcome).toMatchObject({ status: "pass", note: 'tool "echo" is listed more than once' });
  });

  test("judges a schema in the dialect it names", async () => {
    const old = { $schema: "http://json-schema.org/draft-07/schema#", ...TUPLE };
    expect(await alone("tools-schema", tool({ inputSchema: old }))).toMatchObject({ status: "pass" });
    expect(await alone("tools-schema", tool({ inputSchema: TUPLE }))).toMatchObject({ status: "fail" });
  });

  test("passes for an enum that is empty or names a value twice, in every dialect", async () => {
    for (const uri of ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]) {
      for (const values of [[], ["a", "a"]]) {
        const inputSchema = { $schema: uri, type: "object", properties: { a: { type: "string", enum: values } } };
        const outcome = await alone("tools-schema", tool({ inputSchema }));
        expect(outcome).toMatchObject({ status: "pass" });
        expect(outcome).not.toHaveProperty("note");
      }
    }
  });

  test("leaves the dialect open in sessions of older revisions", async () => {
    expect(await alone("tools-schema", tool({ inputSchema: TUPLE }), OLDER)).toMatchObject({ status: "pass" });
    const wrong = { type: "object", required: null };
    expect(await alone("tools-schema", tool({ inputSchema: wrong }), OLDER)).toMatchObject({ status: "fail" });
  });

  test("passes with a note for a dialect it lacks, and for a $ref to elsewhere", async () => {
    for (const more of [
      { $schema: "http://json-schema.org/draft-04/schema#" },
      { $ref: "https://example.com/a.json" },
    ]) {
      const outcome = await alone("tools-schema", tool({ inputSchema: { type: "object", ...more } }));
      expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("was not judged") });
    }
  });

  test("passes for local definitions, for composition under a type, and for unknown keywords", async () => {
    for (const more of [
      { $defs: { a: { type: "string" } }, properties: { a: { $ref: "#/$defs/a" } } },
      { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { "x-order": 1, properties: { a: { type: "string", format: "unheard-of" } } },
    ]) {
      expect(await alone("tools-schema", tool({ inputSchema: { type: "object", ...more } }))).toMatchObject({
        status: "pass",
      });
    }
  });

  test("tells in a note of members that no row judges", async () => {
    const outcome = await alone("tools-schema", tool({ description: null }));
    expect(outcome).toMatchObject({ status: "pass", note: '/description of tool "clear_notes" is null, not a string' });
  });
});

describe("tools-annotations, tools-title-field and tools-output-schema", () => {
  test("are skipped where nothing is there to judge", async () => {
    const plain = (server: Bendable) =>
      server.edit("tools/list", () => ({ tools: [{ name: "now", inputSchema: { type: "object" } }] }));
    for (const id of ["tools-annotations", "tools-title-field", "tools-output-schema"]) {
      expect((await alone(id, plain)).status).toBe("skipped");
    }
  });

  test("are skipped in sessions of revisions without them", async () => {
    for (const id of ["tools-title-field", "tools-output-schema"]) {
      expect((await alone(id, () => {}, { newest: "2025-03-26" })).status).toBe("skipped");
    }
    expect((await alone("tools-annotations", tool({ annotations: [] }), { newest: "2024-11-05" })).status).toBe(
      "skipped",
    );
  });

  test("pass for annotations without hints, and for unknown ones", async () => {
    for (const annotations of [{}, { title: "", custom: 7 }]) {
      expect((await alone("tools-annotations", tool({ annotations }))).status).toBe("pass");
    }
  });
});

describe("tools-output-schema", () => {
  const answering = (result: object) => (server: Bendable) => server.tool("add", () => result);

  test("wants no structuredContent of an error", async () => {
    const outcome = await alone("tools-output-schema", answering({ content: [], isError: true }));
    expect(outcome).toMatchObject({ status: "pass", saw: "1 output schemas and 0 structured results" });
  });

  test("passes for further members, and for structuredContent that is no text of the content", async () => {
    const outcome = await alone(
      "tools-output-schema",
      answering({ content: [], structuredContent: { sum: 2, more: 1 } }),
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "1 output schemas and 1 structured results" });
  });

  test("judges the schemas where no tool may be called", async () => {
    const outcome = await alone("tools-output-schema", (server) =>
      server.edit("tools/list", () => ({
        tools: [
          {
            name: "clear_notes",
            inputSchema: { type: "object" },
            outputSchema: {},
            annotations: { destructiveHint: true },
          },
        ],
      })),
    );
    expect(outcome).toMatchObject({ status: "fail", actual: 'no type for tool "clear_notes"' });
  });
});

describe("resources-schema", () => {
  test("passes for any scheme, and for a size of 0", async () => {
    for (const uri of ["urn:isbn:0451450523", "file:///a%20b", "x-y.z+1:a", "https://example.com/?q=ü", "memo:"]) {
      expect((await alone("resources-schema", resource({ uri, size: 0, name: "" }))).status).toBe("pass");
    }
  });

  test("passes for all annotations", async () => {
    const annotations = { audience: ["user", "assistant"], priority: 1, lastModified: "2025-01-12T15:00:58Z", more: 1 };
    expect((await alone("resources-schema", resource({ annotations }))).status).toBe("pass");
  });
});
