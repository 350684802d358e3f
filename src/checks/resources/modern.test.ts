import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import { at } from "../../model/json.ts";
import { jsonPage } from "../_bends.ts";

const modern = (id: string, bend?: (server: Bendable) => void) => alone(id, bend, {}, "2026-07-28");

describe("hints on caching", () => {
  test("may say that nothing is to be kept, or kept for ever", async () => {
    for (const ttlMs of [0, 2 ** 53]) {
      const bend = (server: Bendable) => {
        for (const method of ["resources/list", "resources/read", "resources/templates/list"]) {
          server.put(method, ["ttlMs"], ttlMs);
          server.put(method, ["cacheScope"], "private");
        }
      };
      for (const id of ["resources-list-caching", "resources-read-caching", "resources-templates-caching"]) {
        expect((await modern(id, bend)).status).toBe("pass");
      }
    }
  });

  test("are not wanted of a question back", async () => {
    const asking = (server: Bendable) =>
      server.answer("resources/read", () => ({ result: { resultType: "input_required", requestState: "a" } }));
    expect(await modern("resources-read-caching", asking)).toEqual({
      status: "skipped",
      because: "no listed resource was read",
    });
  });

  test("are wanted of an empty list, and not of one that is not there", async () => {
    const empty = (server: Bendable) => server.put("resources/list", ["resources"], []);
    expect((await modern("resources-list-caching", empty)).status).toBe("pass");
    expect((await modern("resources-read-caching", empty)).status).toBe("skipped");
    const code = (code: number) => (server: Bendable) =>
      server.answer("resources/templates/list", () => ({ error: { code, message: "no" } }));
    expect((await modern("resources-templates-caching", code(-32601))).status).toBe("skipped");
    expect((await modern("resources-templates-caching", code(-32603))).status).toBe("blocked");
    expect(
      (
        await modern("resources-templates-caching", (server) =>
          server.answer("resources/templates/list", () => undefined),
        )
      ).status,
    ).toBe("blocked");
  });
});

describe("a resource that is not there", () => {
  test("may be refused with any HTTP status", async () => {
    for (const status of [200, 400, 404, 500]) {
      const bend = (server: Bendable) =>
        server.gate(({ json }) =>
          at(json, "method") === "resources/read"
            ? jsonPage(status, { jsonrpc: "2.0", id: at(json, "id"), error: { code: -32602, message: "no" } })
            : undefined,
        );
      expect((await modern("resources-not-found", bend)).status).toBe("pass");
    }
  });

  test("is asked for by a scheme of the server, but never by a web address", async () => {
    const listing = (uri: string) => (server: Bendable) =>
      server.put("resources/list", ["resources"], [{ uri, name: "a" }]);
    const saw = async (uri: string) => await modern("resources-not-found", listing(uri));
    expect(await saw("https://example.com/a")).toMatchObject({
      saw: expect.stringContaining(" test://mcp-nonexistent-"),
    });
    expect(await saw("file:///a")).toMatchObject({ saw: expect.stringContaining(" file:///mcp-nonexistent-") });
    expect(await saw("notes:a")).toMatchObject({ saw: expect.stringContaining(" notes://mcp-nonexistent-") });
  });
});
