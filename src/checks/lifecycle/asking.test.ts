import { describe, expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import { at } from "../../model/json.ts";
import { eliciting } from "./_asking-faults.ts";

const page = { mode: "url", message: "Log in", url: "https://example.com/login", elicitationId: "1" };

describe("a server that asks its client", () => {
  test("is skipped where it never asks", async () => {
    for (const id of ["sampling", "roots", "elicitation"]) {
      const outcome = await alone(`lifecycle-${id}-capability`, (server) => {
        for (const name of ["ask_model", "ask_user", "show_roots"]) server.tool(name, () => ({ content: [] }));
      });
      expect(outcome.status).toBe("skipped");
    }
  }, 30_000);

  test("may send a page to a client that opens pages", async () => {
    const outcome = await alone("lifecycle-elicitation-capability", (server) =>
      eliciting(server, (declared) => at(declared, "url") !== undefined, page),
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "1 request, each well-formed and in a declared mode" });
  });

  test("may show a form to whoever elicits where it speaks 2025-06-18, which knows no modes", async () => {
    const outcome = await alone(
      "lifecycle-elicitation-capability",
      (server) =>
        eliciting(server, (declared) => declared !== undefined, {
          message: "Which colour?",
          requestedSchema: {
            type: "object",
            properties: { colour: { type: "string", enum: ["red"], enumNames: ["Red"] } },
          },
        }),
      { newest: "2025-06-18" },
    );
    expect(outcome).toMatchObject({ status: "pass", saw: "3 requests, each well-formed and in a declared mode" });
  });

  test("may give a pattern in its form, as the page of the specification does", async () => {
    const outcome = await alone("lifecycle-elicitation-capability", (server) =>
      eliciting(server, (declared) => declared !== undefined && at(declared, "url") === undefined, {
        message: "Which colour?",
        requestedSchema: { type: "object", properties: { colour: { type: "string", pattern: "^r" } } },
      }),
    );
    expect(outcome.status).toBe("pass");
  });

  test("is skipped for elicitation where it speaks 2025-03-26", async () => {
    const outcome = await alone("lifecycle-elicitation-capability", undefined, { newest: "2025-03-26" });
    expect(outcome.status).toBe("skipped");
  });
});
