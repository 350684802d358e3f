import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import { errorPage, page } from "../_bends.ts";
import { onCall } from "./_toolless.ts";
import { onUnreadable } from "./_unreadable.ts";

const html = page(400, "<pre>SyntaxError: Unexpected token</pre>");
const isError = () => ({ result: { content: [], isError: true } });
const malformed = (how: ReturnType<typeof page>) => (server: Bendable) =>
  server.gate(({ json }) =>
    typeof json === "object" &&
    json !== null &&
    !("result" in json) &&
    (!("method" in json) || !/"2\.0"/.test(JSON.stringify(json)))
      ? how
      : undefined,
  );

describe("a call that names no tool", () => {
  test("may be answered with isError or another code", async () => {
    for (const id of ["error-missing-params", "tools-call-unknown"]) {
      for (const how of [isError, () => ({ error: { code: -32603, message: "no" } })]) {
        expect(
          await alone(
            id,
            onCall(() => true, how),
          ),
        ).toMatchObject({ status: "pass", note: expect.anything() });
      }
      expect((await alone(id, undefined, { bare: true })).status).toBe("skipped");
    }
  });
});

describe("a body that is no JSON", () => {
  test("may be refused by a framework in front, with a page", async () => {
    expect(
      (
        await alone(
          "error-invalid-json",
          onUnreadable(() => html),
        )
      ).status,
    ).toBe("pass");
    expect(
      await alone(
        "error-parse-code",
        onUnreadable(() => html),
      ),
    ).toMatchObject({
      status: "pass",
      note: expect.stringContaining("by status alone"),
    });
  });

  test("may be refused with a 5xx or 200 that carries -32700", async () => {
    for (const status of [200, 500]) {
      const plan = errorPage(status, -32700);
      expect(
        (
          await alone(
            "error-invalid-json",
            onUnreadable(() => plan),
          )
        ).status,
      ).toBe("pass");
      expect(
        await alone(
          "error-parse-code",
          onUnreadable(() => plan),
        ),
      ).not.toHaveProperty("note");
    }
  });

  test("is not judged by a refusal of who asks", async () => {
    for (const id of ["error-invalid-json", "error-parse-code"]) {
      expect(
        (
          await alone(
            id,
            onUnreadable(() => page(401)),
          )
        ).status,
      ).toBe("blocked");
    }
  });
});

describe("JSON that is no message", () => {
  test("may be refused by status alone, or with -32600 and any status", async () => {
    for (const plan of [html, errorPage(200, -32600), errorPage(500, -32600)]) {
      for (const id of ["error-invalid-jsonrpc", "error-invalid-request-code"]) {
        expect([id, plan.status, (await alone(id, malformed(plan))).status]).toEqual([id, plan.status, "pass"]);
      }
    }
  });
});

describe("error-method-code", () => {
  test("is skipped where no JSON-RPC error came, or one that speaks of who asks", async () => {
    const closed = (server: Bendable) =>
      server.http((plan, { body }) => (body.includes('"nonexistent/') ? { ...plan, status: 401 } : plan));
    expect((await alone("error-method-code", closed)).status).toBe("pass");
    const refusing = (server: Bendable) =>
      server.gate(({ body }) => (body.includes('"nonexistent/') ? page(404) : undefined));
    expect((await alone("error-method-code", refusing)).status).toBe("skipped");
  });
});

describe("error-capability-gated", () => {
  test("asks about each capability of a server that declares none", async () => {
    expect(await alone("error-capability-gated", undefined, { bare: true })).toMatchObject({
      status: "pass",
      saw: expect.stringContaining("8 methods"),
    });
  });

  test("passes with a note for an empty list and for another code", async () => {
    const friendly = (server: Bendable) => server.answer("tasks/list", () => ({ result: { tasks: [] } }));
    expect(await alone("error-capability-gated", friendly)).toMatchObject({
      status: "pass",
      note: expect.stringContaining("nothing is offered"),
    });
    const odd = (server: Bendable) => server.answer("tasks/list", () => ({ error: { code: -32600, message: "no" } }));
    expect(await alone("error-capability-gated", odd)).toMatchObject({ note: expect.stringContaining("-32600") });
  });

  test("is skipped where everything is declared", async () => {
    const whole = (server: Bendable) => server.put("initialize", ["capabilities", "tasks"], { list: {} });
    expect((await alone("error-capability-gated", whole)).status).toBe("skipped");
  });

  test("does not ask 2024-11-05 to declare completions", async () => {
    const quiet = (server: Bendable) => server.drop("initialize", ["capabilities", "completions"]);
    expect((await alone("error-capability-gated", quiet, { newest: "2024-11-05" })).status).toBe("pass");
    expect((await alone("error-capability-gated", quiet)).status).toBe("fail");
    const completing = (server: Bendable) => {
      quiet(server);
      server.answer("completion/complete", () => ({ result: { completion: { values: ["one"] } } }));
    };
    expect((await alone("error-capability-gated", completing, { newest: "2024-11-05" })).status).toBe("pass");
    expect((await alone("error-capability-gated", completing)).status).toBe("fail");
  });
});

describe("error-invalid-cursor", () => {
  const ignoring = (server: Bendable) => {
    server.rules.pageSize = 100;
    server.before("*", ({ params }) => void delete params["cursor"]);
  };

  test("is skipped where no list gives out cursors, and where none is declared", async () => {
    expect((await alone("error-invalid-cursor", ignoring)).status).toBe("skipped");
    expect((await alone("error-invalid-cursor", undefined, { bare: true })).status).toBe("skipped");
  });

  test("takes templates that are an unknown method, and passes with a note for another code", async () => {
    const odd = (server: Bendable) => {
      server.answer("resources/templates/list", () => ({ error: { code: -32601, message: "unknown" } }));
      server.reply((reply, { params }) =>
        String(params["cursor"]).startsWith("mcp-invalid-")
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32603, message: "no" } }
          : reply,
      );
    };
    expect(await alone("error-invalid-cursor", odd)).toMatchObject({
      status: "pass",
      note: expect.stringContaining("-32603"),
    });
  });
});
