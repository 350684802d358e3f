import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import type { World } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { errorPage, jsonPage, onControl, onMethod, page } from "../_bends.ts";

/** Rows of both revisions, in the newer one. */
const modern = (id: string, bend?: (server: Bendable) => void, world: World = {}) =>
  alone(id, bend, world, "2026-07-28");

describe("transport-notification-202", () => {
  const id = "transport-notification-202";

  test("lets a notification be refused where the revision defines none over HTTP", async () => {
    for (const plan of [page(404, "", ""), errorPage(400, -32020)]) {
      const refusing = onMethod("notifications/cancelled", () => plan);
      expect(await modern(id, refusing)).toMatchObject({ status: "pass", saw: "a refusal by status" });
      expect((await alone(id, refusing)).status).toBe("fail");
    }
  });
});

describe("transport-content-type", () => {
  const id = "transport-content-type";

  test("judges the opening where it is the control request itself", async () => {
    const plan = () => page(200, "<h1>Hello</h1>");
    expect(await modern(id, onControl(plan))).toMatchObject({ status: "fail", actual: "text/html" });
    expect((await alone(id, onMethod("initialize", plan))).status).toBe("blocked");
  });

  test("is blocked by an opening that is refused or not answered", async () => {
    for (const plan of [page(404), errorPage(500, -32603), page(202, "", "")]) {
      expect([
        plan.status,
        (
          await modern(
            id,
            onControl(() => plan),
          )
        ).status,
      ]).toEqual([plan.status, "blocked"]);
    }
  });
});

describe("transport-batch-reject", () => {
  test("takes one error, and no array of them whatever its status", async () => {
    const error = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no batches" } };
    const answering = (status: number, json: unknown) => (server: Bendable) =>
      server.gate((request) => (Array.isArray(request.json) ? jsonPage(status, json) : undefined));
    for (const status of [200, 400]) {
      expect((await modern("transport-batch-reject", answering(status, error))).status).toBe("pass");
      expect(await modern("transport-batch-reject", answering(status, [error]))).toMatchObject({
        status: "fail",
        actual: "an array of answers",
      });
    }
  });
});

describe("bodies that can't be read", () => {
  test("come with the headers of a good request, so that nothing else is wrong with them", async () => {
    const strict = (server: Bendable) =>
      server.gate(({ headers, json }) =>
        json === undefined && headers["mcp-method"] === undefined ? errorPage(400, -32020) : undefined,
      );
    for (const id of ["error-parse-code", "error-invalid-json"]) {
      expect([id, (await modern(id, strict)).status]).toEqual([id, "pass"]);
    }
  });
});

describe("error-missing-params", () => {
  test("takes the refusal of a call that has no header for its tool", async () => {
    const strict = (server: Bendable) =>
      server.gate(({ headers, json }) =>
        at(json, "method") === "tools/call" && headers["mcp-name"] === undefined
          ? jsonPage(400, { jsonrpc: "2.0", id: at(json, "id"), error: { code: -32020, message: "no Mcp-Name" } })
          : undefined,
      );
    expect(await modern("error-missing-params", strict)).toMatchObject({
      status: "pass",
      saw: "error -32020 (HTTP 400)",
    });
  });
});
