import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";

const refusing = (method: string, code: number) => (server: Bendable) =>
  server.answer(method, () => ({ error: { code, message: "no" } }));

describe("resources-read", () => {
  test("passes for an empty text and an empty blob", async () => {
    for (const contents of [{ text: "" }, { blob: "" }]) {
      const outcome = await alone("resources-read", (server) =>
        server.answer("resources/read", ({ params }) => ({
          result: { contents: [{ uri: params["uri"], ...contents }] },
        })),
      );
      expect(outcome).toMatchObject({ status: "pass", saw: "3 resources read" });
    }
  });

  test("passes with a note for a resource without contents", async () => {
    const outcome = await alone("resources-read", (server) => server.put("resources/read", ["contents"], []));
    expect(outcome).toMatchObject({ status: "pass", note: expect.stringContaining("has no contents") });
  });

  test("passes for a folder that is read as its entries, of other URIs", async () => {
    const outcome = await alone("resources-read", (server) =>
      server.put(
        "resources/read",
        ["contents"],
        [
          { uri: "file:///a/1", text: "1" },
          { uri: "file:///a/2", blob: "AA==" },
        ],
      ),
    );
    expect(outcome.status).toBe("pass");
  });

  test("passes with a note for a web address, which the client may fetch by itself", async () => {
    const outcome = await alone("resources-read", (server) => {
      server.put("resources/list", ["resources"], [{ uri: "https://example.com/a", name: "a" }]);
      refusing("resources/read", -32002)(server);
    });
    expect(outcome).toMatchObject({
      status: "pass",
      note: expect.stringContaining("can't be read through the server"),
    });
  });
});

describe("resources-templates", () => {
  test("passes with a note where there is no such method", async () => {
    const outcome = await alone("resources-templates", refusing("resources/templates/list", -32601));
    expect(outcome).toMatchObject({ status: "pass", saw: "error -32601" });
  });

  test("passes for an empty list", async () => {
    const outcome = await alone("resources-templates", (server) =>
      server.put("resources/templates/list", ["resourceTemplates"], []),
    );
    expect(outcome.status).toBe("pass");
  });

  test("passes for the operators of RFC 6570", async () => {
    for (const uriTemplate of ["file:///{+path}", "{scheme}://{host}{/path*}{?q,lang:2}{#part}"]) {
      const outcome = await alone("resources-templates", (server) =>
        server.put("resources/templates/list", ["resourceTemplates", 0, "uriTemplate"], uriTemplate),
      );
      expect(outcome.status).toBe("pass");
    }
  });
});

describe("resources-subscribe", () => {
  test("is skipped where subscriptions are not declared, though the list is broken", async () => {
    const outcome = await alone("resources-subscribe", (server) => {
      server.put("initialize", ["capabilities", "resources"], {});
      refusing("resources/list", -32603)(server);
    });
    expect(outcome.status).toBe("skipped");
  });

  test("tolerates _meta in the empty results", async () => {
    const outcome = await alone("resources-subscribe", (server) =>
      server.put("resources/subscribe", ["_meta"], { "com.example/at": 1 }),
    );
    expect(outcome.status).toBe("pass");
  });

  test("is skipped where subscriptions are not declared", async () => {
    for (const value of [undefined, false]) {
      const outcome = await alone("resources-subscribe", (server) =>
        server.put("initialize", ["capabilities", "resources", "subscribe"], value),
      );
      expect(outcome).toEqual({ status: "skipped", because: "the server does not declare resources.subscribe" });
    }
  });

  test("is skipped where no resource is listed", async () => {
    const outcome = await alone("resources-subscribe", (server) =>
      server.answer("resources/list", () => ({ result: { resources: [] } })),
    );
    expect(outcome).toEqual({ status: "skipped", because: "no resource is listed" });
  });

  test("unsubscribes from what it has subscribed to", async () => {
    const said: unknown[] = [];
    await alone("resources-subscribe", (server) => {
      server.before("resources/subscribe", ({ params }) => said.push(["subscribe", params["uri"]]));
      server.before("resources/unsubscribe", ({ params }) => said.push(["unsubscribe", params["uri"]]));
    });
    expect(said).toEqual([
      ["subscribe", "assay://notes/first"],
      ["unsubscribe", "assay://notes/first"],
    ]);
  });
});
