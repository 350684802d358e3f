import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { assay, binary } from "./binary.fixture.ts";

const small = fileURLToPath(new URL("../diagnose/small-server.fixture.ts", import.meta.url));
const server = (behaviour: string) => ["--", process.execPath, small, behaviour];

let url = "";
const http = createServer((request, response) => {
  if (request.url === "/locked") response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
  else response.writeHead(200, { "Content-Type": "text/html" }).end("<html>\u001b[31m<h1>hello</h1>");
});
beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => void http.close());

test("exit codes tell how far it came", async () => {
  const rows: readonly (readonly [code: number, headline: string, args: readonly string[]])[] = [
    [0, "Nothing is wrong", ["--", binary(), "serve"]],
    [1, "The server prints something on stdout", server("banner")],
    [3, "Nobody listens on port 1", ["http://127.0.0.1:1/mcp"]],
    [3, "The URL gives a web page", [`${url}/page`]],
    [4, "The server wants a credential", [`${url}/locked`]],
    [2, "is no valid URL", ["http://[::1/mcp"]],
  ];
  for (const [code, headline, args] of rows) {
    const { code: got, out, err } = await assay(["diagnose", ...args]);
    expect([args, got, (out || err).split("\n")[0]]).toEqual([args, code, expect.stringContaining(headline)]);
    // No colour of ours where there is no terminal, and never one of the server's.
    expect(out).not.toContain("\u001b");
  }
}, 120_000);

test("--json is one document, without secrets", async () => {
  const { code, out } = await assay([
    "diagnose",
    "--json",
    "-E",
    "EXAMPLE_KEY=hush-hush-hush-123",
    ...server("secret"),
  ]);
  const document = JSON.parse(out);
  expect(code).toBe(3);
  expect(document).toMatchObject({
    schemaVersion: "1",
    kind: "diagnosis",
    ok: false,
    exitCode: 3,
    transport: "stdio",
    liveness: { class: "dead" },
  });
  expect(document.stages.map(({ name }: { name: string }) => name)).toEqual([
    "command",
    "start",
    "first byte",
    "first message",
    "negotiation",
    "lists",
  ]);
  expect(out).not.toContain("hush");
}, 60_000);

test("--verbose tells what goes on, on stderr", async () => {
  const { out, err } = await assay(["diagnose", "--verbose", ...server("port-in-use")]);
  expect(err).toContain("starting the server");
  expect(err).toContain("server: Error: listen EADDRINUSE");
  expect(out).toContain("port is in use (3000)");
}, 60_000);
