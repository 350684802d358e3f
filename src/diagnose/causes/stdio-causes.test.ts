import { expect, test } from "bun:test";
import type { Exchange } from "../../model/exchange.ts";
import type { Run, StdioEvidence } from "../evidence.ts";
import { stdioCauses } from "./index.ts";

const exchange: Exchange = {
  n: 1,
  session: 1,
  sender: "test",
  sent: { text: "" },
  received: [],
  end: "closed",
  ms: 5000,
};

const evidence = (run: Partial<Run>): StdioEvidence => {
  const stdout = run.stdout ?? Buffer.alloc(0);
  const whole: Run = {
    how: "initialize",
    exchange,
    heard: false,
    bytes: stdout.length,
    stderr: "",
    closing: undefined,
    late: [],
    patience: 5000,
    ...run,
    stdout,
  };
  return {
    kind: "stdio",
    words: ["server"],
    cwd: "/",
    platform: "linux",
    variables: [],
    resolved: { path: "/bin/server" },
    runs: [whole],
  };
};
function causeOf(e: StdioEvidence, stage: "first byte" | "first message"): readonly [string | undefined, string] {
  for (const { id, at, recognise } of stdioCauses) {
    const found = at !== "passed" && at.includes(stage) ? recognise(e) : undefined;
    if (found !== undefined) return [id, typeof found === "string" ? found : found.headline];
  }
  return [undefined, ""];
}

const DEAD: readonly (readonly [stderr: string, cause: string, headline: string])[] = [
  ["Error: listen EADDRINUSE: address already in use :::3000", "port-in-use", "(3000)"],
  ["OSError: [Errno 98] Address already in use", "port-in-use", "in use"],
  [
    "Error: Cannot find module '/app/dist/index.js'\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}",
    "script-missing",
    "/app/dist/index.js",
  ],
  ["python: can't open file '/app/server.py': [Errno 2] No such file or directory", "script-missing", "/app/server.py"],
  [
    "Error: Cannot find package 'express' imported from /app/server.js\n  code: 'ERR_MODULE_NOT_FOUND'",
    "module-missing",
    '"express"',
  ],
  ["ModuleNotFoundError: No module named 'fastmcp'", "module-missing", '"fastmcp"'],
  ["/usr/bin/python3: No module named my_server", "module-missing", '"my_server"'],
  [
    "npm error code E404\nnpm error 404  'no-such-thing@*' is not in this registry.",
    "package-not-found",
    '"no-such-thing"',
  ],
  ["npm error could not determine executable to run", "package-not-found", "its program"],
  ["npm error code ENOTFOUND\nnpm error network request failed", "registry-unreachable", "registry"],
  ["This program requires Node.js >= 22.0.0, and this is v18.19.0", "runtime-too-old", "(22.0.0)"],
  ["npm ERR! code EBADENGINE\nnpm ERR! engine Unsupported engine", "runtime-too-old", "another version"],
  ["Error [ERR_REQUIRE_ESM]: require() of ES Module", "runtime-too-old", "another version"],
  [
    "server: error while loading shared libraries: libssl.so.1.1: cannot open shared object file",
    "library-missing",
    "libssl.so.1.1",
  ],
  ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "docker-down", "Docker"],
  ["Error: EXAMPLE_API_KEY environment variable is required", "variable-missing", "EXAMPLE_API_KEY"],
  ["Please set the environment variable EXAMPLE_TOKEN", "variable-missing", "EXAMPLE_TOKEN"],
  ["EXAMPLE_URL is not set", "variable-missing", "EXAMPLE_URL"],
  ["Traceback (most recent call last):\nKeyError: 'EXAMPLE_TOKEN'", "variable-missing", "EXAMPLE_TOKEN"],
  ["Missing API key", "variable-missing", "environment"],
  ["No models available. Set API keys or configure a backend.", "variable-missing", "environment"],
  ["Error: An API key is required via --api-key or EXAMPLE_KEY.", "variable-missing", "EXAMPLE_KEY"],
  ["Fatal: invalid API key", "credential-refused", "refused"],
  ["error: the following arguments are required: --root", "argument-missing", "--root"],
  ["Usage: small [options] <folder>\n\nOptions:\n  --stdio", "usage", "how it is used"],
  ["Error: connect ECONNREFUSED 127.0.0.1:5432", "dependency-unreachable", "127.0.0.1:5432"],
  ["Error: ENOENT: no such file or directory, open './config.json'", "file-missing", "./config.json"],
  ["PermissionError: [Errno 13] Permission denied: '/var/lib/x'", "permission", "/var/lib/x"],
  ["FATAL ERROR: Reached heap limit - JavaScript heap out of memory", "out-of-memory", "memory"],
  ["SyntaxError: Unexpected identifier 'interface'", "syntax-error", "Unexpected identifier"],
  ["file:///app/server.js:3\n\nTypeError: Cannot read properties of undefined", "crash", "TypeError: Cannot read"],
  ["thread 'main' panicked at src/main.rs:2:5:", "crash", "panicked"],
  ["it is over", "exits", "exited with code 1 before it answers: it is over"],
];

test("what a process says before it ends is understood", () => {
  for (const [stderr, cause, headline] of DEAD) {
    const found = causeOf(evidence({ stderr, ended: "exited with code 1" }), "first byte");
    expect([stderr, ...found]).toEqual([stderr, cause, expect.stringContaining(headline)]);
  }
  expect(
    causeOf(evidence({ stdout: Buffer.from("Usage: x\n"), ended: "exited with code 0" }), "first message")[0],
  ).toBe("usage");
});

test("how a process ends is put in words", () => {
  for (const [ended, cause, headline] of [
    ["exited with code 0", "exits-with-zero", "without a word"],
    ["exited with code 127", "exits-not-found", "not found"],
    ["exited with code 126", "exits-not-found", "not executable"],
    ["killed by SIGSEGV", "killed", "SIGSEGV"],
    ["exited with code 3", "exits", "without a word on stderr"],
  ] as const) {
    expect(causeOf(evidence({ ended }), "first byte")).toEqual([cause, expect.stringContaining(headline)]);
  }
});

test("what stands on stdout before the first message is told by its bytes", () => {
  const message = '{"jsonrpc":"2.0","id":0,"result":{}}';
  for (const [bytes, cause] of [
    ["Some Server v1.0\n", "stdout-banner"],
    ["[dotenv@17.2.1] injecting env (3) from .env\n", "stdout-dotenv"],
    ["2026-01-01 10:00:00,123 - server - INFO - Starting\n", "stdout-logger"],
    ["[INFO] starting\n", "stdout-logger"],
    ['{"level":30,"time":1767225600000,"msg":"listening"}\n', "stdout-json-logger"],
    ['{"id":0,"result":{}}\n', "stdout-no-jsonrpc"],
    ["\n> small@1.0.0 start\n> node server.js\n\n", "stdout-package-runner"],
    ["\u001b[32mready\u001b[0m\n", "stdout-colours"],
    [`\ufeff${message}\n`, "stdout-byte-order-mark"],
    [Buffer.from(`\ufeff${message}\n`, "utf16le"), "stdout-utf-16"],
    [Buffer.from(`${message}\n`, "utf16le"), "stdout-utf-16"],
    [`Content-Length: ${message.length}\r\n\r\n${message}`, "stdout-content-length"],
    [`[${message}]\n`, "stdout-batch"],
    [`${JSON.stringify(JSON.parse(message), null, 2)}\n`, "stdout-pretty-json"],
    ["HTTP/1.1 200 OK\r\n", "stdout-http"],
    ["Usage: server [options]\n", "stdout-usage"],
  ] as const) {
    const run = evidence({
      stdout: Buffer.from(bytes as string),
      exchange: { ...exchange, end: "timeout" },
      closing: { how: "stdin", code: 0, signal: null, ms: 1 },
    });
    expect([String(bytes), causeOf(run, "first message")[0]]).toEqual([String(bytes), cause]);
  }
});

test("a silent process is told by its last words", () => {
  for (const [stderr, cause] of [
    ["Downloading cpython-3.12 (28.1MiB)\n", "still-installing"],
    ["Need to install the following packages:\n  some-server@1.0.0\nOk to proceed? (y) ", "asks-on-the-terminal"],
    ["INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)\n", "serves-http"],
    ["Server started on port 3000\n", "serves-http"],
    ["see https://example.com/docs\n", "silent"],
    ["Get a key at https://example.com/keys\nServer running on stdio\n", "silent"],
    [
      "See https://example.com/keys\nServer running on stdio\nfetch failed\n  [cause]: getaddrinfo EAI_AGAIN api.example.com",
      "silent-without-dependency",
    ],
    ["", "silent"],
  ] as const) {
    expect([stderr, causeOf(evidence({ stderr, exchange: { ...exchange, end: "timeout" } }), "first byte")[0]]).toEqual(
      [stderr, cause],
    );
  }
});

test("nothing that a process writes takes long to be read", () => {
  const texts = [
    "\n".repeat(65_536),
    " ".repeat(65_536),
    '"jsonrpc"'.repeat(7000),
    "A_".repeat(8000),
    "x".repeat(65_536),
    "Error: ".repeat(9000),
  ];
  for (const text of texts) {
    const began = performance.now();
    causeOf(
      evidence({ stderr: text.slice(-16_384), stdout: Buffer.from(text), ended: "exited with code 1" }),
      "first message",
    );
    causeOf(
      evidence({ stderr: text.slice(-16_384), stdout: Buffer.from(text), exchange: { ...exchange, end: "timeout" } }),
      "first message",
    );
    for (const { at, recognise } of stdioCauses)
      if (at === "passed") recognise(evidence({ stdout: Buffer.from(text) }));
    expect(performance.now() - began).toBeLessThan(4000);
  }
});

test("ids of causes are words of their own", () => {
  const ids = stdioCauses.map(({ id }) => id);
  expect(ids.length).toBe(new Set(ids).size);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
});
