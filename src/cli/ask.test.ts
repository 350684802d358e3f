import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { asked } from "./_init-questions.ts";
import { createAsker } from "./ask.ts";
import { init } from "./init.ts";
import { split } from "./split.ts";
import { UsageError } from "./usage.ts";

/** Answers each question as it is asked; what was asked is kept. */
function answering(...answers: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...answers];
  let said = "";
  output.on("data", (bytes) => {
    const text = String(bytes);
    said += text;
    if (!/ $/.test(text)) return;
    const next = left.shift();
    if (next === undefined) input.end();
    else input.write(`${next}\n`);
  });
  const asker = createAsker(input, output, (error) => (error instanceof UsageError ? error.message : undefined));
  return { asker, said: () => said };
}
const nothing = split([], []);

test("a server that is started: what can't be used is asked again", async () => {
  const { asker, said } = answering(
    ...[
      "4",
      "1",
      "",
      "node 'x y.js",
      "node 'x y.js'",
      "9x",
      "KEY LEVEL=error TOKEN=abcd-efgh",
      "soon",
      "8000",
      "",
      "maybe",
      "n",
    ],
  );
  expect(await asked(asker, { config: {}, notes: [] }, nothing)).toEqual({
    config: {
      target: {
        type: "stdio",
        command: "node",
        args: ["x y.js"],
        env: { KEY: "${env:KEY}", LEVEL: "error", TOKEN: "${env:TOKEN}" },
      },
      timeout: 8000,
      startupTimeout: 60_000,
      strict: false,
    },
    notes: [expect.stringContaining("TOKEN looks like a credential")],
  });
  expect(said()).toContain('"soon" can\'t be used here');
  expect(said()).toContain("has a ' that is never closed");
});

test("a server behind a URL, with what the command line says left out of the questions", async () => {
  const { asker, said } = answering("http", "example.com", "https://example.com/mcp", "MCP_AUTH", "");
  const given = { config: { timeout: 1, startupTimeout: 2 }, notes: [] };
  expect(await asked(asker, given, nothing)).toMatchObject({
    config: {
      target: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "${env:MCP_AUTH}" } },
      timeout: 1,
      startupTimeout: 2,
      strict: true,
    },
  });
  expect(said()).not.toContain("How long");
});

test("what the command line says of the target isn't asked", async () => {
  const { asker, said } = answering("node s.js", "", "", "");
  const given = split(["--transport", "stdio", "-E", "A=1", "--cwd", "sub"], init.options);
  expect(await asked(asker, { config: {}, notes: [] }, given)).toMatchObject({
    config: { target: { type: "stdio", command: "node", args: ["s.js"], env: { A: "1" }, cwd: "sub" } },
  });
  expect(said()).not.toContain("How is the server reached");
  expect(said()).not.toContain("Which variables");
});

test("the end of input ends the questions, and so does Ctrl-C", async () => {
  const { asker } = answering("1");
  expect(await asked(asker, { config: {}, notes: [] }, nothing)).toBeUndefined();
});
