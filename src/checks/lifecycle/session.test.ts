import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import { at } from "../../model/json.ts";

describe("lifecycle-ping", () => {
  test("takes _meta beside nothing", async () => {
    const outcome = await alone("lifecycle-ping", (server) =>
      server.answer("ping", () => ({ result: { _meta: { "com.example/a": 1 } } })),
    );
    expect(outcome.status).toBe("pass");
  });
});

describe("lifecycle-reinit-reject", () => {
  test("passes a second initialize that is refused", async () => {
    const outcome = await alone("lifecycle-reinit-reject", (server) =>
      server.gate(({ headers, json }) =>
        headers["mcp-session-id"] !== undefined && at(json, "method") === "initialize"
          ? {
              status: 400,
              headers: [["Content-Type", "application/json"]],
              body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"already initialized"}}',
            }
          : undefined,
      ),
    );
    expect(outcome.status).toBe("pass");
    expect(outcome).not.toHaveProperty("note");
  });

  test("passes one that is accepted, with a note", async () => {
    expect(await alone("lifecycle-reinit-reject")).toMatchObject({
      status: "pass",
      note: "a second initialize is accepted",
    });
  });

  test("is skipped for a stateless server", async () => {
    expect((await alone("lifecycle-reinit-reject", undefined, { stateless: true })).status).toBe("skipped");
  });
});

describe("lifecycle-logging", () => {
  test("takes a result with _meta, and leaves debug as the last level", async () => {
    const levels: unknown[] = [];
    const outcome = await alone("lifecycle-logging", (server) =>
      server.answer("logging/setLevel", ({ params }) => {
        levels.push(params["level"]);
        return { result: { _meta: {} } };
      }),
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "8 levels" });
    expect(levels.at(-1)).toBe("debug");
  });
});

describe("lifecycle-completions", () => {
  test("completes a template's variable where no prompt has an argument", async () => {
    const asked: unknown[] = [];
    const outcome = await alone("lifecycle-completions", (server) => {
      server.put("prompts/list", ["prompts"], [{ name: "summary" }]);
      server.drop("prompts/list", ["nextCursor"]);
      server.before("completion/complete", ({ params }) => asked.push(params));
    });
    expect(outcome).toMatchObject({ status: "pass", saw: '3 completions of "name"' });
    expect(asked).toEqual([
      { ref: { type: "ref/resource", uri: "assay://notes/{name}" }, argument: { name: "name", value: "" } },
    ]);
  });

  test("takes templates/list as unknown, and skips what is not there", async () => {
    const outcome = await alone("lifecycle-completions", (server) => {
      server.put("prompts/list", ["prompts"], []);
      server.drop("prompts/list", ["nextCursor"]);
      server.put("resources/templates/list", ["resourceTemplates"], []);
    });
    expect(outcome).toMatchObject({ status: "skipped" });
  });

  test("is blocked where the lists that it needs are broken", async () => {
    const outcome = await alone("lifecycle-completions", (server) => {
      server.answer("prompts/list", () => ({ error: { code: -32603, message: "broken" } }));
      server.put("resources/templates/list", ["resourceTemplates"], []);
    });
    expect(outcome).toMatchObject({ status: "blocked", by: "prompts/list" });
  });

  test("does not bind 2024-11-05, which has no such capability", async () => {
    expect((await alone("lifecycle-completions", undefined, { newest: "2024-11-05" })).status).toBe("skipped");
  });

  test("takes an empty list without a total", async () => {
    const outcome = await alone("lifecycle-completions", (server) =>
      server.answer("completion/complete", () => ({ result: { completion: { values: [] } } })),
    );
    expect(outcome.status).toBe("pass");
  });
});

describe("notifications of the client", () => {
  test("a cancellation may be taken with an empty 200", async () => {
    const outcome = await alone("lifecycle-cancellation", (server) =>
      server.http((plan) => (plan.status === 202 ? { ...plan, status: 200 } : plan)),
    );
    expect(outcome.status).toBe("pass");
  });

  test("progress that is refused without harm is a note", async () => {
    const outcome = await alone("lifecycle-progress", (server) =>
      server.http((plan, { json }) =>
        at(json, "method") === "notifications/progress" ? { status: 400, headers: [] } : plan,
      ),
    );
    expect(outcome).toMatchObject({ status: "pass", note: "the notification was answered with HTTP 400" });
  });

  test("a server without ping is not failed for what it did not do", async () => {
    for (const id of ["lifecycle-cancellation", "lifecycle-progress", "lifecycle-reinit-reject"]) {
      const outcome = await alone(id, (server) =>
        server.answer("ping", () => ({ error: { code: -32601, message: "unknown" } })),
      );
      expect(outcome.status).toBe("pass");
    }
  });
});

describe("lifecycle-list-changed", () => {
  test("takes a change that is told five times", async () => {
    const outcome = await alone("lifecycle-list-changed", (server) =>
      server.before("ping", ({ broadcast }) => {
        for (let i = 0; i < 5; i++) broadcast("notifications/tools/list_changed");
      }),
    );
    expect(outcome.status).toBe("pass");
  });
});

describe("lifecycle-progress-token", () => {
  test("passes where no progress is sent, with a note", async () => {
    const outcome = await alone("lifecycle-progress-token", (server) => server.tool("count", () => ({ content: [] })));
    expect(outcome).toMatchObject({ status: "pass", note: "no progress was sent, which is allowed" });
  });

  test("does not blame the token for a tool that fails anyway", async () => {
    const outcome = await alone("lifecycle-progress-token", (server) =>
      server.edit("tools/call", (result) => {
        result["isError"] = true;
      }),
    );
    expect(outcome.status).toBe("pass");
  });

  test("takes fractions, and a stream that stays open after the response", async () => {
    const outcome = await alone("lifecycle-progress-token", (server) => {
      server.rules.endStream = false;
      server.tool("count", (_, { params, notify }) => {
        const progressToken = at(params, "_meta", "progressToken");
        if (progressToken === undefined) return { content: [] };
        for (const progress of [0, 0.5, 1]) notify("notifications/progress", { progressToken, progress });
        return { content: [] };
      });
    });
    expect(outcome).toMatchObject({ status: "pass", saw: "6 reports of progress in 2 calls with a token" });
  }, 20_000);
});

describe("lifecycle-meta-tolerance", () => {
  test("asks nothing about what is not served without the keys", async () => {
    const outcome = await alone("lifecycle-meta-tolerance", (server) =>
      server.answer("tools/list", () => ({ error: { code: -32603, message: "broken" } })),
    );
    expect(outcome.status).toBe("pass");
  });
});
