import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable, HttpPlan } from "../../model/bendable.ts";
import { errorPage, jsonPage, onHttp, page } from "../_bends.ts";

const onBatch = (plan: HttpPlan) => (server: Bendable) =>
  server.gate(({ json }) => (Array.isArray(json) ? plan : undefined));
const onType = (type: string, plan: HttpPlan) => (server: Bendable) =>
  server.gate(({ headers }) => (headers["content-type"] === type ? plan : undefined));
const statusOf = async (...given: Parameters<typeof alone>) => (await alone(...given)).status;

describe("a server without sessions", () => {
  test("is not asked about them", async () => {
    for (const id of ["transport-session-id", "transport-session-invalid", "transport-delete"]) {
      expect([id, await statusOf(id, undefined, { stateless: true })]).toEqual([id, "skipped"]);
    }
  });

  test("may answer GET with 405", async () => {
    for (const id of ["transport-get", "transport-get-stream", "transport-concurrent"]) {
      expect([id, await statusOf(id, undefined, { stateless: true })]).toEqual([id, "pass"]);
    }
  });

  test("may issue an id and not ask for it", async () => {
    const lax = (server: Bendable) => {
      server.rules.session = false;
    };
    expect(await statusOf("transport-session-id", lax)).toBe("skipped");
  });
});

describe("transport-batch-reject", () => {
  test("passes for any refusal of the server's own", async () => {
    const unknown = { jsonrpc: "2.0", error: { code: -32600, message: "no" } };
    for (const plan of [page(400), page(422, "", ""), jsonPage(200, unknown), errorPage(500, -32600)]) {
      expect([plan.status, await statusOf("transport-batch-reject", onBatch(plan))]).toEqual([plan.status, "pass"]);
    }
  });

  test("is skipped where the negotiated revision has batches, or none of this", async () => {
    for (const newest of ["2025-03-26", "2024-11-05"]) {
      const answering = (server: Bendable) => {
        server.rules.batch = "answer";
      };
      expect(await statusOf("transport-batch-reject", answering, { newest })).toBe("skipped");
    }
    expect(await statusOf("transport-batch-reject", undefined, { newest: "2025-06-18" })).toBe("pass");
  });

  test("is blocked by a 401, and by a 403 that good requests get as well", async () => {
    expect(await statusOf("transport-batch-reject", onBatch(page(401)))).toBe("blocked");
    const closed = (server: Bendable) =>
      server.gate(({ method, body }) => (method === "POST" && /"ping"/.test(body) ? page(403) : undefined));
    expect(await statusOf("transport-batch-reject", closed)).toBe("blocked");
  });
});

describe("transport-content-type", () => {
  test("takes plain JSON, and any case and charset", async () => {
    expect(await statusOf("transport-content-type", undefined, { json: true })).toBe("pass");
    const charset = (server: Bendable) =>
      server.http((plan) => ({
        ...plan,
        headers: plan.headers.map(([name, value]) => [
          name,
          value === "application/json" ? "Application/JSON; charset=utf-8" : value,
        ]),
      }));
    expect(await statusOf("transport-content-type", charset)).toBe("pass");
  });
});

describe("transport-content-type-reject", () => {
  test("passes with a note for a refusal by an error alone", async () => {
    expect(await alone("transport-content-type-reject", onType("text/plain", errorPage(200, -32600)))).toMatchObject({
      status: "pass",
      note: "the refusal came with HTTP 200",
    });
    expect(await alone("transport-content-type-reject", onType("text/plain", page(400)))).not.toHaveProperty("note");
  });
});

describe("transport-session-invalid", () => {
  test("passes with a note for 400, which only a terminated session forbids", async () => {
    const strict = (server: Bendable) => {
      server.rules.unknownSession = 400;
    };
    expect(await alone("transport-session-invalid", strict)).toMatchObject({
      status: "pass",
      note: expect.stringContaining("400"),
    });
  });
});

describe("transport-delete", () => {
  test("takes 405 for a session that clients may not end", async () => {
    expect(await statusOf("transport-delete", onHttp("DELETE", page(405, "", "")))).toBe("pass");
  });
});

describe("transport-post", () => {
  test("passes with a note for a message with another status", async () => {
    expect(await alone("transport-post", onHttp("POST", errorPage(503, -32000)))).toMatchObject({
      status: "pass",
      note: expect.stringContaining("HTTP 503"),
    });
  });
});
