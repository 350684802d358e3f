import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import { httpReply } from "../model/exchange.fixture.ts";
import type { Exchange, Header } from "../model/exchange.ts";
import { terminal } from "../text/escape.ts";
import { createRedactor } from "../text/redact.ts";
import { exchange, posted } from "./_specimen.ts";
import { repro, type Scene } from "./repro.ts";

const hasCurl = process.platform !== "win32" && Bun.which("curl") !== null;
const keep = (text: string) => text;
const scene = (transcript: readonly Exchange[], more: Partial<Scene> = {}): Scene => ({
  transcript,
  url: "https://example.com/mcp",
  redact: keep,
  ...more,
});

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Runs the line in a shell against a server that remembers what it was sent. */
async function served(
  line: (url: string) => string | undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.setHeader("Mcp-Session-Id", `fresh-${seen.length}`);
    response.end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const code = await run(line(`http://127.0.0.1:${port}/mcp`) ?? "", env);
  server.close();
  expect(code).toBe(0);
  return seen;
}

const run = (line: string, env: Readonly<Record<string, string>>) =>
  new Promise<number | null>((ended) => {
    const child = spawn("sh", ["-c", line], { env: { PATH: process.env["PATH"], ...env }, stdio: "ignore" });
    child.on("close", ended);
  });

const to = (url: string, each: Exchange, headers: readonly Header[], method = "POST"): Exchange => ({
  ...each,
  sent: { text: each.sent.text, http: { method, url, headers } },
});

test("a request over HTTP is one readable line of curl", () => {
  const each = posted(4, '{"jsonrpc":"2.0","id":4,"method":"it\'s"}', "");
  expect(repro(each, scene([each]))).toBe(
    "curl -sSig --max-time 10 https://example.com/mcp -H 'Content-Type: application/json' " +
      "-H 'Accept: application/json, text/event-stream' " +
      `--data-binary '{"jsonrpc":"2.0","id":4,"method":"it'\\''s"}'`,
  );
});

test("what the run was told of certificates is told to curl as well", () => {
  const each = posted(1, "{}", "");
  const line = repro(each, scene([each], { reach: ["-k", "--cacert", "my ca.pem"] }));
  expect(line).toStartWith("curl -sSig --max-time 10 -k --cacert 'my ca.pem' https://example.com/mcp ");
});

test.skipIf(!hasCurl)("a line goes through the proxy of the run, with its password from a variable", async () => {
  const redact = createRedactor([{ name: "PROXY_PASSWORD", value: "s3cret-word" }]);
  let line: string | undefined;
  const [seen] = await served(
    (url) => {
      const reach = ["-x", new URL(url).origin, "-U", "me:s3cret-word"];
      line = repro(to("http://mcp.invalid/mcp", exchange(1), []), scene([], { redact, reach }));
      return line;
    },
    { PROXY_PASSWORD: "s3cret-word" },
  );
  expect(line).not.toContain("s3cret-word");
  const user = Buffer.from("me:s3cret-word").toString("base64");
  expect([seen?.url, seen?.headers["proxy-authorization"]]).toEqual(["http://mcp.invalid/mcp", `Basic ${user}`]);
});

test.skipIf(!hasCurl)("the line sends the body, the method and the headers intact", async () => {
  const bodies = [
    '{"a":"it\'s $HOME `id` \\\\n %s \\"q\\""}',
    "@/etc/hostname",
    "a\r\nb\u0000c\u001b[31m\u202e",
    `{"big":"${"A".repeat(1_000_000)}"}`,
    "[]",
  ];
  for (const body of bodies) {
    const headers: readonly Header[] = [
      ["content-type", "application/json"],
      ["Origin", "http://evil.example"],
      ["Content-Length", "999999"],
      ["X-Empty", ""],
    ];
    const [seen] = await served((url) => {
      const line = repro(to(`${url}?a=[1]&b='x'`, exchange(1, { sent: { text: body } }), headers), scene([])) ?? "";
      expect(terminal(line)).toBe(line);
      return line;
    });
    expect(seen?.body === body).toBe(true);
    expect([seen?.method, seen?.url]).toEqual(["POST", "/mcp?a=[1]&b='x'"]);
    expect(seen?.headers).toMatchObject({
      "content-type": "application/json",
      origin: "http://evil.example",
      "x-empty": "",
    });
    expect(seen?.headers["accept"]).toBeUndefined();
  }
});

test.skipIf(!hasCurl)("methods without a body and methods with an empty one stay so", async () => {
  const [get] = await served((url) => repro(to(url, exchange(1, { sent: { text: "" } }), [], "GET"), scene([])));
  expect([get?.method, get?.body, get?.headers["content-type"]]).toEqual(["GET", "", undefined]);
  const [post] = await served((url) => repro(to(url, exchange(1, { sent: { text: "" } }), []), scene([])));
  expect([post?.method, post?.headers["content-length"], post?.headers["content-type"]]).toEqual([
    "POST",
    "0",
    undefined,
  ]);
  const [put] = await served((url) =>
    repro(to(`${url}/../x`, exchange(1, { sent: { text: "b" } }), [], "PUT"), scene([])),
  );
  expect([put?.method, put?.url, put?.body]).toEqual(["PUT", "/mcp/../x", "b"]);
});

test.skipIf(!hasCurl)("secrets are expanded by the shell and never printed", async () => {
  const redact = createRedactor([{ name: "AUTH", value: "Bearer s3cr3t" }]);
  const headers: readonly Header[] = [["Authorization", "Bearer s3cr3t"]];
  const seen = await served(
    (url) => {
      const line = repro(to(url, exchange(1), headers), scene([], { redact }));
      expect(line).toContain('-H "Authorization: $AUTH"');
      expect(line).not.toContain("s3cr3t");
      return line;
    },
    { AUTH: "Bearer s3cr3t" },
  );
  expect(seen[0]?.headers["authorization"]).toBe("Bearer s3cr3t");
});

test.skipIf(!hasCurl)("a request in a session opens one of its own first", async () => {
  const session: Header = ["mcp-session-id", "old"];
  const seen = await served((url) => {
    const opening = to(
      url,
      posted(1, '{"id":1,"method":"initialize"}', "{}", { request: { id: 1, method: "initialize" } }),
      [],
    );
    const answered = {
      ...opening,
      http: httpReply(200, [session]),
    };
    const ready = to(
      url,
      exchange(2, { sent: { text: '{"method":"i"}' }, request: { method: "notifications/initialized" } }),
      [session],
    );
    const other = to(url, exchange(3), [session]);
    const ended = to(url, exchange(4, { sent: { text: "" } }), [session], "DELETE");
    const asked = to(url, exchange(5, { sent: { text: '{"id":5}' } }), [session]);
    return repro(asked, scene([answered, ready, other, ended, asked]));
  });
  expect(seen.map(({ method, body, headers }) => [method, body, headers["mcp-session-id"]])).toEqual([
    ["POST", '{"id":1,"method":"initialize"}', undefined],
    ["POST", '{"method":"i"}', "fresh-1"],
    ["DELETE", "", "fresh-1"],
    ["POST", '{"id":5}', "fresh-1"],
  ]);
});

test("a session id that no server issued is sent as it was", () => {
  const each = to("https://example.com/mcp", exchange(5), [["Mcp-Session-Id", "made-up"]]);
  expect(repro(each, scene([each]))).toStartWith(
    "curl -sSig --max-time 10 https://example.com/mcp -H 'Mcp-Session-Id: made-up' ",
  );
});
