// Processes that are wrong elsewhere: a row says nothing of what another one judges.
import { expect, test } from "bun:test";
import { spawned } from "../_spawned.ts";

/** Takes every id for a number, and leaves unanswered what has another. */
const NUMBERS = `
  const answer = (line) => {
    const { id, method } = JSON.parse(line);
    const info = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "numbers", version: "1" } };
    const result = method === "initialize" ? info : {};
    if (!Number.isNaN(Number(id))) console.log(JSON.stringify({ jsonrpc: "2.0", id: Number(id), result }));
  };
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\\n");
    rest = lines.pop();
    lines.filter((line) => line.trim() !== "").forEach(answer);
  });`;

test("a process that answers no id but numbers is not blamed for its framing, nor for its encoding", async () => {
  const on = { revision: "2025-11-25", script: NUMBERS } as const;
  expect(await spawned("stdio-framing", on)).toMatchObject({ status: "pass" });
  expect(await spawned("stdio-unicode", on)).toMatchObject({
    status: "skipped",
    because: expect.stringContaining("no id that is a text"),
  });
}, 60_000);
