import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Exchange, Received } from "../../model/exchange.ts";
import type { Fault, World } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { own } from "./_stamp.ts";
import logLevelGating from "./lifecycle-log-level-gating.ts";

const modern = (id: string, bend?: Fault["apply"], world?: World) => alone(id, bend, world, "2026-07-28");
const REFUSED = { error: { code: -32601, message: "method not found" } };

describe("a refusal of the _meta of a request", () => {
  test("is the same for a server of both eras", async () => {
    for (const member of ["", "protocol-version-", "client-capabilities-"]) {
      expect((await modern(`lifecycle-meta-${member}required`, undefined, { era: "dual" })).status).toBe("pass");
    }
    expect((await modern("lifecycle-version-unsupported", undefined, { era: "dual" })).status).toBe("pass");
  });

  test("is blocked where a gateway forbids everything", async () => {
    const outcome = await modern("lifecycle-meta-required", (server) =>
      server.gate(() => ({ status: 403, headers: [] })),
    );
    expect(outcome).toMatchObject({ status: "blocked" });
  });
});

describe("lifecycle-removed-methods", () => {
  test("takes another code, and says so", async () => {
    const outcome = await modern("lifecycle-removed-methods", (server) =>
      server.answer("ping", () => ({ error: { code: -32600, message: "gone" } })),
    );
    expect(outcome).toMatchObject({
      status: "pass",
      note: "ping: error -32600 in place of error -32601 (HTTP 404)",
    });
  });

  test("takes any error for initialize", async () => {
    const outcome = await modern("lifecycle-removed-methods", (server) =>
      server.answer("initialize", () => ({ error: { code: -32022, message: "use server/discover" } })),
    );
    expect(outcome).toMatchObject({ status: "pass" });
    expect(outcome).not.toHaveProperty("note");
  });

  test("leaves initialize to a server of both eras", async () => {
    const outcome = await modern(
      "lifecycle-removed-methods",
      (server) => server.answer("initialize", () => ({ result: { protocolVersion: "2025-11-25" } })),
      { era: "dual" },
    );
    expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("dual-era") });
  });
});

describe("lifecycle-capability-handlers-match", () => {
  test("finds nothing wrong with a server that declares nothing", async () => {
    expect(await modern("lifecycle-capability-handlers-match", undefined, { bare: true })).toMatchObject({
      status: "pass",
      saw: "nothing declared, nothing offered",
    });
  });

  test("takes an empty list of what is not declared, and says so", async () => {
    const outcome = await modern("lifecycle-capability-handlers-match", (server) => {
      server.drop("server/discover", ["capabilities", "prompts"]);
      server.answer("prompts/list", () => ({ result: { prompts: [] } }));
    });
    expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("a result that offers nothing") });
  });

  test("does not ask for resource templates", async () => {
    const outcome = await modern("lifecycle-capability-handlers-match", (server) =>
      server.answer("resources/templates/list", () => REFUSED),
    );
    expect(outcome).toMatchObject({ status: "pass" });
  });
});

describe("lifecycle-subscriptions-listen", () => {
  const acknowledge = (id: unknown, notifications: object) => ({
    _meta: { [own("subscriptionId")]: id },
    notifications,
  });

  test("is skipped where nothing is declared and the method is unknown", async () => {
    expect(await modern("lifecycle-subscriptions-listen", undefined, { bare: true })).toMatchObject({
      status: "skipped",
    });
  });

  test("takes an acknowledgement of nothing, and a result at once", async () => {
    const outcome = await modern(
      "lifecycle-subscriptions-listen",
      (server) =>
        server.answer("subscriptions/listen", ({ message, notify }) => {
          notify("notifications/subscriptions/acknowledged", acknowledge(message.id, {}));
          return { result: { _meta: { [own("subscriptionId")]: message.id } } };
        }),
      { bare: true },
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "acknowledged under its id: nothing honoured" });
  });

  test("takes kinds that are said not to be honoured, and an acknowledgement that takes its time", async () => {
    const outcome = await modern("lifecycle-subscriptions-listen", (server) =>
      server.answer("subscriptions/listen", async ({ message, notify, cancelled }) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        const honoured = { toolsListChanged: true, taskIds: [], resourcesListChanged: false };
        notify("notifications/subscriptions/acknowledged", acknowledge(message.id, honoured));
        await cancelled;
        return { result: {} };
      }),
    );
    expect(outcome).toMatchObject({ status: "pass" });
  });

  test("asks for a resource that is listed", async () => {
    const asked: unknown[] = [];
    await modern("lifecycle-subscriptions-listen", (server) =>
      server.before("subscriptions/listen", ({ params }) => asked.push(at(params, "notifications"))),
    );
    expect(asked[0]).toEqual({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["assay://notes/first"],
    });
  });
});

describe("lifecycle-log-level-gating", () => {
  const LOG: Received = { text: "", from: "stdout", at: 5, message: { method: "notifications/message" } };
  const asking = (level?: string) => ({
    method: "tools/call",
    params: { _meta: level === undefined ? {} : { [own("logLevel")]: level } },
  });
  const exchange = (n: number, more: Partial<Exchange>): Exchange => ({
    n,
    session: 1,
    sender: "",
    sent: { text: "" },
    received: [],
    end: "reply",
    ms: 1,
    ...more,
  });
  const reply: Message = { id: 1, result: {} };
  const answered = (when: number) => ({ reply, received: [{ ...LOG, at: when, message: reply }] });
  const heard = exchange(2, { sender: "server", end: "unsolicited", received: [LOG] });
  const judged = (...transcript: Exchange[]) => logLevelGating.review?.(transcript, {}, {})?.status;

  test("takes logs on the stream of a request that asks for them", () => {
    const http = { method: "POST", url: "http://127.0.0.1/mcp", headers: [] };
    const on = { sent: { text: "", http }, received: [LOG] };
    expect(judged(exchange(1, { ...on, request: asking("debug") }))).toBe("pass");
    expect(judged(exchange(1, { ...on, request: asking() }))).toBe("fail");
  });

  test("takes lines of log while such a request is under way", () => {
    expect(judged(exchange(1, { request: asking("debug"), ...answered(6) }), heard)).toBe("pass");
    expect(judged(exchange(1, { request: asking("debug"), ...answered(4) }), heard)).toBe("fail");
    expect(judged(exchange(1, { request: asking(), ...answered(6) }), heard)).toBe("fail");
  });

  test("leaves conversations of older revisions to their own rules", () => {
    expect(judged(exchange(1, { request: { method: "initialize", params: {} } }), heard)).toBe("pass");
  });

  test("is no matter of tools alone", async () => {
    expect(await modern("lifecycle-log-level-gating", undefined, { bare: true })).toMatchObject({
      status: "pass",
      saw: expect.stringMatching(/^no log message unasked, \d+ messages read$/),
    });
  });
});
