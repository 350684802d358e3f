import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";

const refusing = (code: number) => (server: Bendable) =>
  server.answer("tools/call", () => ({ error: { code, message: "no" } }));
/** Only the tool of this name is listed. */
const only = (server: Bendable, name: string) => {
  server.rules.pageSize = 100;
  server.edit("tools/list", (result) => {
    const tools: readonly unknown[] = Array.isArray(result["tools"]) ? result["tools"] : [];
    result["tools"] = tools.filter(
      (tool) => typeof tool === "object" && tool !== null && "name" in tool && tool.name === name,
    );
  });
};

describe("tools-call", () => {
  test("passes with a note where guessed arguments are refused", async () => {
    const outcome = await alone("tools-call", (server) => {
      only(server, "echo");
      refusing(-32602)(server);
    });
    expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("had to be guessed (text)") });
  });

  test("passes with a note where a tool answers with isError, or with an error of its own", async () => {
    const failing = (server: Bendable) => server.tool("now", () => ({ content: [], isError: true }));
    expect(await alone("tools-call", failing)).toMatchObject({
      status: "pass",
      note: expect.stringContaining('"now"'),
    });
    expect(await alone("tools-call", refusing(-32603))).toMatchObject({ status: "pass" });
    expect(await alone("tools-call", refusing(-32042))).toMatchObject({ status: "pass" });
  });

  test("passes for content that is empty, which leaves no content to judge", async () => {
    const empty = (server: Bendable) => server.edit("tools/call", () => ({ content: [] }));
    expect((await alone("tools-call", empty)).status).toBe("pass");
    expect((await alone("tools-content-types", empty)).status).toBe("skipped");
  });

  test("calls no tool that may destroy something, or that needs a task", async () => {
    const called: unknown[] = [];
    for (const part of [
      { annotations: {}, execution: { taskSupport: "required" } },
      { annotations: { destructiveHint: true } },
    ]) {
      const outcome = await alone("tools-call", (server) => {
        only(server, "clear_notes");
        server.edit("tools/list", (result) => {
          result["tools"] = [{ name: "clear_notes", inputSchema: { type: "object" }, ...part }];
        });
        server.before("tools/call", ({ params }) => called.push(params["name"]));
      });
      expect(outcome).toMatchObject({ status: "skipped" });
    }
    expect(called).toEqual([]);
  });

  test("judges the one safest tool where none only reads", async () => {
    const outcome = await alone("tools-call", (server) => {
      server.rules.pageSize = 100;
      server.edit("tools/list", (result) => {
        result["tools"] = [
          { name: "clear_notes", inputSchema: { type: "object" }, annotations: { readOnlyHint: false } },
          { name: "now", inputSchema: { type: "object" } },
        ];
      });
    });
    expect(outcome).toMatchObject({ status: "pass", saw: expect.stringMatching(/^1 call/) });
  });
});

describe("tools-content-types", () => {
  const showing = (content: unknown) => (server: Bendable) => server.tool("now", () => ({ content: [content] }));

  for (const [name, content] of [
    ["an empty text", { type: "text", text: "" }],
    ["an empty blob", { type: "resource", resource: { uri: "assay://x", blob: "" } }],
    ["an embedded empty text", { type: "resource", resource: { uri: "assay://x", text: "" } }],
    [
      "unknown members",
      { type: "text", text: "x", annotations: { priority: 0 }, _meta: { "com.example/a": 1 }, more: null },
    ],
    ["a URN", { type: "resource_link", uri: "urn:isbn:0451450523", name: "a book" }],
  ] as const) {
    test(`passes for ${name}`, async () => {
      expect((await alone("tools-content-types", showing(content))).status).toBe("pass");
    });
  }

  test("is skipped where nothing but errors came back", async () => {
    const failing = (server: Bendable) =>
      server.edit("tools/call", () => ({ content: [{ type: "unheard-of" }], isError: true }));
    expect((await alone("tools-content-types", failing)).status).toBe("skipped");
    expect((await alone("tools-content-types", refusing(-32603))).status).toBe("skipped");
  });

  test("knows what each older revision knows", async () => {
    for (const newest of ["2025-06-18", "2025-03-26", "2024-11-05"]) {
      expect((await alone("tools-content-types", () => {}, { newest })).status).toBe("pass");
    }
  });
});
