import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import { at } from "../../model/json.ts";
import { jsonPage } from "../_bends.ts";

const initialize = (json: unknown) => at(json, "method") === "initialize";
const info = (value: unknown) => ({ name: "a", version: "1", ...Object(value) });

describe("lifecycle-init", () => {
  test("is blocked, not failed, where a credential is wanted", async () => {
    const outcome = await alone("lifecycle-init", undefined, { locked: true });
    expect(outcome).toMatchObject({ status: "blocked", by: "authorization" });
  });

  test("is blocked where a web page answers in the server's place", async () => {
    const page = { status: 404, headers: [["Content-Type", "text/html"]] as const, body: "<h1>Not found</h1>" };
    const outcome = await alone("lifecycle-init", (server) =>
      server.gate(() => ({ ...page, headers: [...page.headers] })),
    );
    expect(outcome).toMatchObject({ status: "blocked", by: "opening" });
  });

  test("is blocked by a rate limit on the opening", async () => {
    const outcome = await alone("lifecycle-init", (server) => server.gate(() => ({ status: 429, headers: [] })));
    expect(outcome.status).toBe("blocked");
  });

  test("leaves an error in answer to ping to the check of ping", async () => {
    const outcome = await alone("lifecycle-init", (server) =>
      server.answer("ping", () => ({ error: { code: -32601, message: "unknown" } })),
    );
    expect(outcome).toMatchObject({ status: "pass", note: "the request after it was answered with an error" });
  });
});

describe("lifecycle-proto-version", () => {
  test("passes older revisions, and says so", async () => {
    for (const newest of ["2025-06-18", "2025-03-26", "2024-11-05"]) {
      expect(await alone("lifecycle-proto-version", undefined, { newest })).toMatchObject({
        status: "pass",
        note: `${newest} is older; rules that came later are not applied`,
      });
    }
  });

  test("passes a dated revision that nobody published, and says so", async () => {
    const outcome = await alone("lifecycle-proto-version", (server) => {
      server.put("initialize", ["protocolVersion"], "2024-10-07");
      server.rules.protocolHeader = false;
    });
    expect(outcome).toMatchObject({ status: "pass", note: "2024-10-07 is no published revision" });
  });

  test("takes an error for a missing protocolVersion", async () => {
    const outcome = await alone("lifecycle-proto-version", (server) =>
      server.reply((reply, { method, params }) =>
        method === "initialize" && params["protocolVersion"] === undefined
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "protocolVersion is missing" } }
          : reply,
      ),
    );
    expect(outcome.status).toBe("pass");
  });
});

describe("lifecycle-server-info", () => {
  test("passes everything that may stand there", async () => {
    const all = {
      title: "A",
      description: "An a",
      websiteUrl: "https://example.com",
      icons: [{ src: "data:image/png;base64,AAAA", mimeType: "image/png", sizes: ["any"], theme: "dark" }],
      other: 1,
    };
    const outcome = await alone("lifecycle-server-info", (server) =>
      server.put("initialize", ["serverInfo"], info(all)),
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "a 1" });
    expect(outcome).not.toHaveProperty("note");
  });

  test("passes a relative icon with a note", async () => {
    const outcome = await alone("lifecycle-server-info", (server) =>
      server.put("initialize", ["serverInfo"], info({ icons: [{ src: "./mcp.svg" }] })),
    );
    expect(outcome).toMatchObject({ status: "pass", note: '"./mcp.svg" is no URI' });
  });

  test("does not hold an older revision to members that it does not know", async () => {
    const outcome = await alone(
      "lifecycle-server-info",
      (server) => server.put("initialize", ["serverInfo"], info({ icons: "icon.png", websiteUrl: null })),
      { newest: "2025-06-18" },
    );
    expect(outcome.status).toBe("pass");
  });
});

describe("what is declared", () => {
  test("an empty object of capabilities is one", async () => {
    expect(await alone("lifecycle-capabilities", undefined, { bare: true })).toMatchObject({
      status: "pass",
      saw: "no capabilities",
    });
  });

  test("unknown capabilities and false flags are legal", async () => {
    const outcome = await alone("lifecycle-capabilities", (server) =>
      server.put("initialize", ["capabilities"], { tools: { listChanged: false }, extensions: { "a/b": {} }, more: 1 }),
    );
    expect(outcome.status).toBe("pass");
  });

  test("what is not declared is not asked for", async () => {
    for (const id of [
      "lifecycle-instructions",
      "lifecycle-logging",
      "lifecycle-completions",
      "lifecycle-list-changed",
    ]) {
      expect((await alone(id, undefined, { bare: true })).status).toBe("skipped");
    }
  });
});

describe("lifecycle-version-negotiate", () => {
  test("takes an error that names what is supported", async () => {
    const outcome = await alone("lifecycle-version-negotiate", (server) =>
      server.reply((reply, { method, params }) =>
        method === "initialize" && !/^20\d\d-(06|11)/.test(String(params["protocolVersion"]))
          ? {
              jsonrpc: "2.0",
              id: reply.id,
              error: { code: -32602, message: "unsupported", data: { supported: ["2025-11-25", "2025-06-18"] } },
            }
          : reply,
      ),
    );
    expect(outcome.status).toBe("pass");
    expect(outcome).toHaveProperty("note");
  });

  test("takes the same error with HTTP 400", async () => {
    const outcome = await alone("lifecycle-version-negotiate", (server) => {
      server.reply((reply, { method, params }) =>
        method === "initialize" && params["protocolVersion"] === "1.0"
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "unsupported", data: { supported: [] } } }
          : reply,
      );
      server.http((plan, { json }) =>
        initialize(json) && at(json, "params", "protocolVersion") === "1.0" ? { ...plan, status: 400 } : plan,
      );
    });
    expect(outcome.status).toBe("pass");
  });

  test("is blocked where nobody can open a second session", async () => {
    for (const status of [400, 500]) {
      const outcome = await alone("lifecycle-version-negotiate", (server) => {
        let opened = 0;
        server.gate(({ json }) => {
          if (!initialize(json) || opened++ === 0) return undefined;
          const error = { code: -32600, message: "Server already initialized" };
          return jsonPage(status, { jsonrpc: "2.0", id: null, error });
        });
      });
      expect(outcome.status).toBe("blocked");
    }
  });

  test("does not hold a server to revisions that it never named", async () => {
    expect((await alone("lifecycle-version-negotiate", undefined, { newest: "2025-03-26" })).status).toBe("pass");
  });
});
