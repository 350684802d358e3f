import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import type { Bendable } from "../../model/bendable.ts";

const argued = (name: string) => ({ name, arguments: [{ name: "topic", required: true }] });
const listing = (server: Bendable, ...prompts: readonly unknown[]) =>
  server.answer("prompts/list", () => ({ result: { prompts } }));

describe("prompts-get", () => {
  test("fills required arguments with values that the server offers, and no others", async () => {
    const got: unknown[] = [];
    const outcome = await alone("prompts-get", (server) =>
      server.before("prompts/get", ({ params }) => got.push([params["name"], params["arguments"]])),
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "4 prompts got, with the right messages" });
    expect(got).toEqual([
      ["greeting", { name: "go" }],
      ["summary", undefined],
      ["review", { language: "go" }],
      ["picture", undefined],
    ]);
  });

  test("asks for no completion where none is declared", async () => {
    let asked = 0;
    const outcome = await alone("prompts-get", (server) => {
      server.drop("initialize", ["capabilities", "completions"]);
      server.before("completion/complete", () => {
        asked += 1;
      });
    });
    expect(outcome.status).toBe("pass");
    expect(asked).toBe(0);
  });

  test("is skipped where every prompt refuses guessed values", async () => {
    const outcome = await alone("prompts-get", (server) => {
      listing(server, argued("a"), argued("b"));
      server.answer("prompts/get", () => ({ error: { code: -32602, message: "no such topic" } }));
    });
    expect(outcome).toMatchObject({ status: "skipped" });
  });

  test("passes where one prompt refuses guessed values and another is got", async () => {
    const outcome = await alone("prompts-get", (server) => {
      listing(server, argued("a"), { name: "summary" });
      server.reply((reply, { method, params }) =>
        method === "prompts/get" && params["name"] === "a"
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "no such topic" } }
          : reply,
      );
    });
    expect(outcome).toMatchObject({ status: "pass", saw: "1 prompt got, with the right messages" });
  });

  test("is skipped where no prompt is listed", async () => {
    expect((await alone("prompts-get", (server) => listing(server))).status).toBe("skipped");
  });
});

describe("prompts-schema", () => {
  test("passes for a prompt without arguments, with none, and with optional members left out", async () => {
    const outcome = await alone("prompts-schema", (server) =>
      listing(
        server,
        { name: "a" },
        { name: "b", arguments: [] },
        { name: "c", arguments: [{ name: "x" }], more: null },
      ),
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "3 prompts" });
    expect(outcome).not.toHaveProperty("note");
  });

  test("tells in a note of members that the row does not judge", async () => {
    const outcome = await alone("prompts-schema", (server) => listing(server, { name: "a", description: 7 }));
    expect(outcome).toMatchObject({ status: "pass", note: '/description of prompt "a" is a number, not a string' });
  });
});
