// Behaviours that are unusual and right: each must pass or be skipped, never fail.
import { expect, test } from "bun:test";
import { alone } from "../../matrix/alone.ts";
import { laboratory } from "../../matrix/lab.ts";
import { attempt } from "../../matrix/trial.ts";
import type { Bendable } from "../../model/bendable.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { checks } from "../index.ts";

const text = (value: unknown) => ({ content: [{ type: "text", text: String(value) }] });
const seen = async (...trial: Parameters<typeof alone>): Promise<readonly unknown[]> => {
  const outcome = await alone(...trial);
  if (outcome.status === "pass") return ["pass", outcome.note];
  return [outcome.status, outcome.status === "fail" ? outcome.actual : outcome.because];
};

test("a tool that is documented as running commands is not probed for it", async () => {
  const bend = (server: Bendable) =>
    server.edit("tools/list", () => ({
      tools: [
        {
          name: "sh",
          description: "Runs a shell command and shows what it prints.",
          inputSchema: { type: "object", properties: { line: { type: "string" } }, required: ["line"] },
          annotations: { readOnlyHint: true },
        },
      ],
    }));
  expect(await seen("security-command-injection", bend)).toEqual([
    "skipped",
    "the tools that take free text are documented as running commands",
  ]);
});

test("an argument that is documented as a query language is not probed for quotes", async () => {
  const bend = (server: Bendable) =>
    server.edit("tools/list", () => ({
      tools: [
        {
          name: "ask",
          description: "Asks the database.",
          inputSchema: { type: "object", properties: { text: { type: "string", description: "An SQL statement" } } },
          annotations: { readOnlyHint: true },
        },
      ],
    }));
  expect((await seen("security-sql-injection", bend))[0]).toBe("skipped");
});

test("a database error that two quotes bring as well is a note", async () => {
  const bend = (server: Bendable) =>
    server.tool("echo", ({ text: said }) => text(String(said).includes("'") ? "SQLITE_ERROR: no" : said));
  expect(await seen("security-sql-injection", bend)).toEqual([
    "pass",
    "text of echo: a database error with one quote and with two",
  ]);
});

test("where every payload is rejected before the tool, nothing was measured and a warning says so", async () => {
  const rejecting = (server: Bendable) =>
    server.answer("tools/call", ({ params }) =>
      /^[\w ]*$/.test(String(Object.values(at(params, "arguments") ?? {})[0]))
        ? { result: text("fine") }
        : { error: { code: -32602, message: "not allowed" } },
    );
  for (const id of [
    "security-command-injection",
    "security-sql-injection",
    "security-path-traversal",
    "security-ssrf-internal",
  ]) {
    const check = checks.find((each) => each.id === id);
    if (check === undefined) throw new TypeError(`there is no check ${id}`);
    const bent = { id: `${id}/bent`, check, fault: fault("is bent by a test", rejecting) };
    const { verdicts, warnings } = await attempt(laboratory([""], {}, "linux"), {
      kind: "http",
      faults: [bent],
      only: [id],
    });
    expect([id, verdicts[0]?.outcome.status]).toEqual([id, "skipped"]);
    expect(warnings.some((warning) => warning.startsWith(`${id}: not reached`))).toBe(true);
  }
});

test("a tool that is there to fetch may fetch from this machine", async () => {
  const bend = (server: Bendable) => {
    server.edit("tools/list", () => ({
      tools: [
        {
          name: "check_link",
          description: "Downloads a page and gives back its text.",
          inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
          annotations: { readOnlyHint: true },
        },
      ],
    }));
    server.tool("check_link", async ({ url }, { visit }) => text(await visit(String(url))));
  };
  expect(await seen("security-ssrf-internal", bend)).toEqual([
    "pass",
    "url of check_link fetches 127.0.0.1, too; fetching what the caller names is what it is for",
  ]);
});

test("a tool that answers nothing at all says nothing about a payload", async () => {
  const never = (server: Bendable) => {
    for (const name of ["echo", "find_notes", "read_note", "check_link"])
      server.tool(name, () => new Promise(() => {}));
  };
  for (const id of ["security-path-traversal", "security-ssrf-internal", "security-oversized-input"]) {
    expect((await seen(id, never))[0]).toBe("skipped");
  }
}, 60_000);
