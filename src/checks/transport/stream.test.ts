import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";
import { errorPage, page } from "../_bends.ts";

const stream = (body: string) => (server: Bendable) =>
  server.http((plan, { method }) =>
    method === "GET" && plan.stream === true ? page(200, body, "text/event-stream") : plan,
  );
const news = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

describe("a GET stream", () => {
  test("may say nothing and end", async () => {
    for (const id of ["transport-get", "transport-get-stream"]) {
      expect([id, (await alone(id, stream(""))).status]).toEqual([id, "pass"]);
    }
  });

  test("may use all that SSE allows", async () => {
    const lively = [
      ": listening\r\n\r\n",
      "id: 1\r\nretry: 2000\r\ndata: \r\n\r\n",
      `data: ${news.slice(0, 17)}\ndata: ${news.slice(17)}\n\n`,
      `event: message\ndata:${news}\n\n`,
      "event: heartbeat\ndata: 12:00\n\n",
      "id\ndata\n\n",
      ": keepalive\n\n",
    ].join("");
    expect(await alone("transport-get-stream", stream(lively))).toMatchObject({
      status: "pass",
      saw: expect.stringContaining("ended by the server"),
    });
  });

  test("may carry a batch where the negotiated revision has batches", async () => {
    const batch = stream(`data: [${news},${news}]\n\n`);
    expect((await alone("transport-get-stream", batch, { newest: "2025-03-26" })).status).toBe("pass");
    expect((await alone("transport-get-stream", batch, { newest: "2025-06-18" })).status).toBe("fail");
  });

  test("may be the only one, and then that of the common session is judged", async () => {
    const single = (how: (server: Bendable) => void) => (server: Bendable) => {
      let open = 0;
      how(server);
      server.http((plan, { method }) => {
        if (method !== "GET" || plan.status !== 200) return plan;
        return ++open > 1 ? errorPage(409, -32000) : plan;
      });
    };
    for (const id of ["transport-get", "transport-get-stream"]) {
      expect([
        id,
        (
          await alone(
            id,
            single(() => {}),
          )
        ).status,
      ]).toEqual([id, "pass"]);
    }
    const bad = single((server) => server.sse(() => "no field of SSE"));
    expect((await alone("transport-get-stream", bad)).status).toBe("fail");
  });
});

describe("transport-sse-event-field", () => {
  test("is skipped where every answer is JSON", async () => {
    expect((await alone("transport-sse-event-field", undefined, { json: true })).status).toBe("skipped");
  });

  test("takes events without a name, and other events that carry no message", async () => {
    const unnamed = (server: Bendable) => server.sse((block) => block.replace("event: message\n", ""));
    expect((await alone("transport-sse-event-field", unnamed)).status).toBe("pass");
    const beating = (server: Bendable) => server.sse((block) => `event: heartbeat\ndata: 12:00\n\n${block}`);
    expect((await alone("transport-sse-event-field", beating)).status).toBe("pass");
  });
});

describe("transport-concurrent", () => {
  test("takes streams that stay open after the answer, and servers that echo nothing", async () => {
    const open = (server: Bendable) => {
      server.rules.endStream = false;
    };
    expect(await alone("transport-concurrent", open)).not.toHaveProperty("note");
    expect(await alone("transport-concurrent", undefined, { bare: true })).toMatchObject({
      status: "pass",
      note: expect.stringContaining("only the ids"),
    });
  });

  test("takes a tool that refuses when it is called too often", async () => {
    let calls = 0;
    const limited = (server: Bendable) =>
      server.tool("echo", ({ text }) => ({
        content: [{ type: "text", text }],
        ...(++calls > 3 ? { isError: true } : {}),
      }));
    expect((await alone("transport-concurrent", limited)).status).toBe("pass");
  });
});
