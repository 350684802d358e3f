import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import type { World } from "../../model/fault.ts";
import { errorPage, jsonPage } from "../_bends.ts";
import { versionIn } from "./_header.ts";

const modern = (id: string, bend?: (server: Bendable) => void, world: World = {}) =>
  alone(id, bend, world, "2026-07-28");

describe("a request without MCP-Protocol-Version", () => {
  const lenient = (server: Bendable) =>
    server.incoming((headers, { json }) => {
      headers["mcp-protocol-version"] ??= versionIn(json);
    });

  test("may be served by a server that also speaks 2025-03-26, and by no other", async () => {
    const id = "transport-header-version-required";
    expect(await modern(id, lenient, { era: "dual" })).toEqual({
      status: "skipped",
      because: "the server also speaks 2025-03-26, whose requests have no MCP-Protocol-Version",
    });
    const newer = (server: Bendable) => {
      lenient(server);
      server.put("initialize", ["protocolVersion"], "2025-11-25");
    };
    expect(await modern(id, newer, { era: "dual" })).toMatchObject({ status: "fail", actual: "a result" });
    expect(await modern(id, lenient)).toMatchObject({ status: "fail", actual: "a result" });
  });
});

describe("a header that differs from the body", () => {
  test("may be refused in any words, and with data", async () => {
    const wordy = (server: Bendable) =>
      server.http((plan, { json }) =>
        plan.status === 400
          ? jsonPage(400, { jsonrpc: "2.0", id: null, error: { code: -32020, message: "", data: { json } } })
          : plan,
      );
    for (const id of ["transport-header-version-mismatch", "transport-header-method-mismatch"]) {
      expect((await modern(id, wordy)).status).toBe("pass");
    }
  });

  test("says nothing where who asks is refused, or where everybody is", async () => {
    const gateway = (status: number) => (server: Bendable) =>
      server.gate(({ headers }) => (headers["mcp-method"] === "tools/list" ? errorPage(status, -32001) : undefined));
    expect(await modern("transport-header-method-mismatch", gateway(401))).toMatchObject({
      status: "blocked",
      by: "authorization",
    });
    expect((await modern("transport-header-method-mismatch", gateway(403))).status).toBe("fail");
    expect((await modern("transport-header-method-mismatch", undefined, { locked: true })).status).toBe("blocked");
  });

  test("is looked for on a resource or a tool where no prompt is served", async () => {
    const id = "transport-header-name-mismatch";
    const error = () => ({ error: { code: -32603, message: "no" } });
    const fewer = (methods: readonly string[]) => (server: Bendable) => {
      for (const method of methods) server.answer(method, error);
    };
    const saw = async (methods: readonly string[]) => await modern(id, fewer(methods));
    expect(await saw([])).toMatchObject({ saw: expect.stringContaining("on prompts/get") });
    expect(await saw(["prompts/get"])).toMatchObject({ saw: expect.stringContaining("on resources/read") });
    expect(await saw(["prompts/get", "resources/list"])).toMatchObject({ saw: expect.stringContaining("tools/call") });
    expect((await saw(["prompts/get", "resources/read", "tools/call"])).status).toBe("skipped");
  });
});

describe("GET and DELETE", () => {
  const served = (server: Bendable) =>
    server.gate(({ method }) => (method === "POST" ? undefined : errorPage(400, -32000)));

  test("are judged only where the server is modern-only", async () => {
    for (const id of ["transport-get-removed", "transport-delete-removed"]) {
      expect(await modern(id, served, { era: "dual" })).toMatchObject({
        status: "skipped",
        because: expect.stringContaining("it lists 2025-11-25 among its versions"),
      });
      const silent = (server: Bendable) => {
        served(server);
        server.put("server/discover", ["supportedVersions"], ["2026-07-28"]);
      };
      expect(await modern(id, silent, { era: "dual" })).toMatchObject({
        status: "skipped",
        because: expect.stringContaining("it answers initialize with 2025-11-25"),
      });
      expect(await modern(id, served)).toMatchObject({ status: "fail", actual: "HTTP 400" });
    }
  });
});

describe("a session id", () => {
  test("may be minted for initialize", async () => {
    expect((await modern("transport-session-ignored", undefined, { era: "dual" })).status).toBe("pass");
  });

  test("need not leave hints and instructions as they were", async () => {
    let turn = 0;
    const counting = (server: Bendable) =>
      server.edit("server/discover", (result) => {
        result["ttlMs"] = ++turn;
      });
    expect((await modern("transport-session-ignored", counting)).status).toBe("pass");
  });
});
