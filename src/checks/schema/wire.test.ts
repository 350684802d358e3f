import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import type { World } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { errorPage } from "../_bends.ts";

const modern = (id: string, bend?: (server: Bendable) => void, world: World = {}) =>
  alone(id, bend, world, "2026-07-28");

describe("messages that fit the schema", () => {
  test("may have further members, methods and kinds of result", async () => {
    const bend = (server: Bendable) => {
      server.put("tools/list", ["tools", 0, "execution"], { taskSupport: "often" });
      server.put("tools/list", ["example.com/more"], [1.5, null]);
      server.before("tools/call", ({ send }) =>
        send({ jsonrpc: "2.0", method: "notifications/com.example/news", params: { a: null } }),
      );
      server.tool("echo", () => ({ resultType: "task", taskId: "t", status: "working" }));
      server.tool("add", () => ({ content: [], structuredContent: [0.5], isError: false }));
    };
    expect(await modern("schema-wire-valid", bend)).not.toHaveProperty("note");
    expect((await modern("schema-result-type", bend)).status).toBe("pass");
  });

  test("are noted where a text has another form", async () => {
    const bend = (server: Bendable) => {
      server.put("resources/list", ["resources", 0, "uri"], "not a uri");
      server.put("prompts/get", ["messages", 0, "content"], { type: "image", data: "_", mimeType: "image/png" });
    };
    expect(await modern("schema-wire-valid", bend)).toMatchObject({
      status: "pass",
      note: "no URI at /result/resources/0/uri of the result of resources/list; no base64 text at /result/messages/0/content/data of the result of prompts/get",
    });
  });

  test("are judged behind a text of another form", async () => {
    const bend = (server: Bendable) => {
      server.put("resources/list", ["resources", 0, "uri"], "not a uri");
      server.put("resources/list", ["resources", 1, "name"], 5);
    };
    expect(await modern("schema-wire-valid", bend)).toMatchObject({ status: "fail", actual: "a number" });
  });
});

describe("what was said before the body was read", () => {
  test("has no id, or null", async () => {
    const refusing = (status: number) => (server: Bendable) =>
      server.gate(({ json }) => (at(json, "method") === "prompts/get" ? errorPage(status, -32000) : undefined));
    for (const status of [405, 413, 415, 406]) {
      expect((await modern("error-id-echo", refusing(status))).status).toBe("pass");
      expect(await modern("schema-wire-valid", refusing(status))).toMatchObject({
        status: "pass",
        note: expect.stringContaining("has id null"),
      });
    }
    expect((await modern("error-id-echo", refusing(400))).status).toBe("fail");
    expect((await modern("schema-wire-valid", refusing(400))).status).toBe("fail");
  });
});

describe("a server that wants a credential", () => {
  test("is not taken for one that is right or wrong", async () => {
    const locked = { locked: true };
    for (const id of ["schema-result-type", "error-id-echo", "schema-wire-valid"]) {
      expect((await modern(id, undefined, locked)).status).toBe("skipped");
    }
  });
});

describe("draft codes", () => {
  test("are noted", async () => {
    const bend = (server: Bendable) =>
      server.reply((reply, { method }) =>
        method === "tools/call" && reply.error !== undefined
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32003, message: "no" } }
          : reply,
      );
    expect(await modern("error-retired-codes", bend)).toMatchObject({
      status: "pass",
      note: "error -32003 is of a draft of this revision; it is -32021 now",
    });
  });
});

describe("a question back", () => {
  test("may be nothing but a state, or nothing but requests", async () => {
    for (const member of ["inputRequests", "requestState"]) {
      const bend = (server: Bendable) =>
        server.edit("tools/call", (result) => {
          if (result["resultType"] === "input_required") delete result[member];
        });
      expect((await modern("schema-input-required-shape", bend)).status).toBe("pass");
    }
  });

  test("that nobody asks is not measured", async () => {
    const mute = (server: Bendable) => server.tool("ask_user", () => ({ content: [] }));
    const bend = (server: Bendable) => {
      mute(server);
      server.tool("ask_model", () => ({ content: [] }));
      server.tool("show_roots", () => ({ content: [] }));
    };
    expect((await modern("schema-input-required-shape", bend)).status).toBe("skipped");
  });
});
