import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ConfigTarget } from "./config-schema.ts";
import { split } from "./split.ts";
import { resolveTarget } from "./target.ts";
import { testOptions } from "./test-options.ts";

const cwd = mkdtempSync(join(tmpdir(), "mcp-assay-target-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const write = (name: string, text: string): string => {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), text);
  return name;
};

const env = { PATH: "/bin", HOME: "/home/me", API_KEY: "key-from-env-1234", OTHER: "x", Lang: "de" };
const of = (args: readonly string[], configured?: ConfigTarget) =>
  resolveTarget(split(args, testOptions), configured, { env, cwd, platform: "linux" });
const http = (args: readonly string[], configured?: ConfigTarget) => {
  const { target } = of(args, configured);
  return target.kind === "http" ? { url: target.url.href, headers: target.headers, sse: target.sse === true } : "stdio";
};
const stdio = (args: readonly string[], configured?: ConfigTarget) => {
  const { target } = of(args, configured);
  if (target.kind !== "stdio") return "http";
  const { command, args: words, env: given, cwd: folder } = target.command;
  return { command, args: words, env: given, cwd: folder };
};
const secrets = (args: readonly string[], configured?: ConfigTarget) =>
  of(args, configured).secrets.map(({ name, value }) => `${name}=${value}`);
const trouble = (args: readonly string[], configured?: ConfigTarget): string => {
  try {
    return `no error: ${JSON.stringify(of(args, configured))}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "?";
  }
};
const minimal = { PATH: "/bin", HOME: "/home/me", Lang: "de" };

describe("headers", () => {
  test("come from the config file, a file, the environment and -H, the later over the earlier by name", () => {
    write("headers.txt", "\ufeff# ours\r\nX-A: file\r\nX-B: file\r\n\r\nX-C: file\r\n");
    const configured: ConfigTarget = { type: "http", url: "https://h/", headers: { "x-a": "config", "X-D": "config" } };
    const args = ["--header-file", "headers.txt", "--header-env", "X-B=API_KEY", "-H", "x-c: flag", "-H", "X-C: again"];
    expect(http(args, configured)).toEqual({
      url: "https://h/",
      headers: [
        ["X-D", "config"],
        ["X-A", "file"],
        ["X-B", "key-from-env-1234"],
        ["x-c", "flag"],
        ["X-C", "again"],
      ],
      sse: false,
    });
    expect(secrets(args, configured)).toEqual(
      expect.arrayContaining(["X_A=file", "X_B=key-from-env-1234", "X_C=flag", "X_C=again", "X_D=config"]),
    );
  });

  test("that each test sends itself are left out, and no secret, and that is told", () => {
    const headers = { "Content-Type": "application/json", "X-A": "abcd" };
    const found = of(["-H", "mcp-method: ping"], { type: "http", url: "https://h/", headers });
    expect(found.target).toMatchObject({ headers: [["X-A", "abcd"]] });
    expect(found.secrets.map(({ name }) => name)).toEqual(["X_A"]);
    expect(found.remark).toBe(
      "the header Content-Type is left out: each test sends its own; the header mcp-method is left out: each test sends its own",
    );
  });

  test("--auth and --auth-env are the Authorization header, over the file's and over user info", () => {
    const configured: ConfigTarget = { type: "http", url: "https://u:p@h/", headers: { Authorization: "old" } };
    expect(http([], configured)).toMatchObject({ url: "https://h/", headers: [["Authorization", "old"]] });
    expect(http(["--auth", "Bearer t"], configured)).toMatchObject({ headers: [["Authorization", "Bearer t"]] });
    expect(http(["--auth-env", "API_KEY"], configured)).toMatchObject({
      headers: [["Authorization", "key-from-env-1234"]],
    });
    expect(http(["https://u:p%40@h/x"])).toMatchObject({ headers: [["Authorization", `Basic ${btoa("u:p@")}`]] });
    expect(secrets(["https://user:hush-hush@h/?api_key=abcd1234"])).toEqual(
      expect.arrayContaining(["PASSWORD=hush-hush", "API_KEY=abcd1234"]),
    );
  });

  test("what is wrong is named without its value", () => {
    expect(trouble(["--auth-env", "NOPE", "https://h/"])).toContain(
      '--auth-env names the variable "NOPE", which is not',
    );
    expect(trouble(["--header-env", "X", "https://h/"])).toContain("write it as NAME=VAR");
    write("bad.txt", "X-A: fine\nsecret without a colon\n");
    expect(trouble(["--header-file", "bad.txt", "https://h/"])).toBe(
      'UsageError: bad.txt: line 2 is no header: write it as "Name: value".',
    );
    expect(trouble(["--auth", "a", "--auth-env", "API_KEY", "https://h/"])).toContain("both given");
    expect(trouble(["--auth", "a", "-H", "authorization: b", "https://h/"])).toContain("both given");
  });
});

describe("a process", () => {
  test("gets a minimal environment, then --env-file, the config file's, and -E", () => {
    write(".env", 'A=file\r\nB=file\r\nexport C="file # \\n"\r\n');
    const configured: ConfigTarget = {
      type: "stdio",
      command: "node",
      args: ["s.js"],
      env: { B: "config", D: "config" },
    };
    expect(stdio(["--env-file", ".env", "-E", "D=flag=1", "-E", "E="], configured)).toEqual({
      command: "node",
      args: ["s.js"],
      env: { ...minimal, A: "file", B: "config", C: "file # \n", D: "flag=1", E: "" },
      cwd,
    });
  });

  test("or all of ours, whose credentials are then secrets", () => {
    expect(stdio(["--inherit-env", "--", "x"])).toMatchObject({ env });
    expect(stdio(["--", "x"])).toMatchObject({ env: minimal });
    expect(secrets(["--inherit-env", "--", "x"])).toEqual(["API_KEY=key-from-env-1234"]);
    expect(secrets(["-E", "LOG_LEVEL=error", "-E", "GH_TOKEN=abcd", "--", "x"])).toEqual(["GH_TOKEN=abcd"]);
  });

  test("starts in --cwd, in the target's cwd, or here", () => {
    mkdirSync(join(cwd, "sub"), { recursive: true });
    expect(stdio(["--cwd", "sub", "--", "x"])).toMatchObject({ cwd: join(cwd, "sub") });
    expect(stdio([], { type: "stdio", command: "x", cwd: "sub" })).toMatchObject({ cwd: join(cwd, "sub") });
    expect(trouble([], { type: "stdio", command: "x", cwd: "gone" })).toContain(
      'cwd of the target, "gone" is no folder',
    );
  });

  test("a broken env file is named with its line", () => {
    write("bad.env", "A=1\nB: 2\n");
    expect(trouble(["--env-file", "bad.env", "--", "x"])).toBe(
      "UsageError: bad.env: line 2: write NAME=VALUE (with =, not :).",
    );
    expect(trouble(["--env-file", "gone.env", "--", "x"])).toContain('--env-file "gone.env" is no file in');
  });
});

test("a target on the command line replaces the file's whole", () => {
  const configured: ConfigTarget = { type: "http", url: "https://h/", headers: { A: "b" } };
  expect(http(["https://other/"], configured)).toEqual({ url: "https://other/", headers: [], sse: false });
  expect(stdio(["node", "x.js"], { type: "stdio", command: "old", env: { A: "b" } })).toMatchObject({ env: minimal });
});

test("an option of the command that is named like a credential holds one", () => {
  const hidden = ["--api-key", "sk-argument-1", "--token=tok-argument-2", "-pat", "ghp_argument3"];
  expect(secrets(["--", "x", ...hidden])).toEqual([
    "API_KEY=sk-argument-1",
    "TOKEN=tok-argument-2",
    "PAT=ghp_argument3",
  ]);
  expect(
    secrets(["--", "x", "--auth", "none", "--tls-key", "/etc/key.pem", "--keyboard", "de-latin1", "--key"]),
  ).toEqual([]);
});

test("placeholders in the config file are variables of the environment", () => {
  const headers = { Authorization: "Bearer ${env:API_KEY}", X: "${env:GONE:-none}", Y: "$HOME ${other}" };
  expect(http([], { type: "http", url: "https://${env:OTHER}/", headers })).toEqual({
    url: "https://x/",
    headers: [
      ["Authorization", "Bearer key-from-env-1234"],
      ["X", "none"],
      ["Y", "$HOME ${other}"],
    ],
    sse: false,
  });
  // Where a server is, is shown; what lets one in is not.
  expect(secrets([], { type: "http", url: "${env:NO:-https://host.example/mcp}" })).toEqual([]);
  expect(secrets([], { type: "http", url: "https://${env:NO:-host.example}/${env:API_KEY}" })).toEqual([
    "API_KEY=key-from-env-1234",
  ]);
  expect(trouble([], { type: "stdio", command: "x", args: ["${env:GONE}"] })).toBe(
    "UsageError: The config file: target.args[0] wants ${env:GONE}, and the variable GONE is not set: set it, and run again.",
  );
});

describe("a URL without its scheme", () => {
  const cases: readonly [word: string, shown: string, meant: string][] = [
    ["localhost:3000/mcp", "localhost:3000/mcp", "http://localhost:3000/mcp"],
    ["[::1]:80/mcp", "[::1]:80/mcp", "http://[::1]:80/mcp"],
    ["example.com/mcp", "example.com/mcp", "https://example.com/mcp"],
    ["me:hush-hush@host/mcp", "…@host/mcp", "https://host/mcp"],
    ["me:hush-hush@localhost:80", "…@localhost:80", "http://localhost:80"],
    ["me:hush/hush@hush@host/mcp", "…@host/mcp", "https://host/mcp"],
    ["hush-hush@host/mcp", "…@host/mcp", "https://host/mcp"],
    ["'me:hush-hush@host/mcp' --port 1", "…@host/mcp", "https://host/mcp"],
  ];
  for (const [word, shown, meant] of cases) {
    test(`${word} is refused with the URL that was probably meant, without credentials`, () => {
      const said = trouble(word.includes(" ") ? [word] : ["--", word]);
      expect(said).toStartWith(`UsageError: "${shown}" is no URL and no command: did you mean ${meant}?`);
      expect(said).not.toContain("hush");
    });
  }

  test("is none where it could be a command", () => {
    write("my.app/run", "");
    for (const word of ["my.app/run", "./a.b/c", "dist/server.js", "pkg@1.2.3", "@scope/pkg", "python3.11"]) {
      expect(stdio(["--", word])).toMatchObject({ command: word });
    }
  });

  test("and a URL that can't be read is told without what stands before its @", () => {
    for (const url of ["http://me:hush/hush@h/mcp", "http://me:hush#hush@h/mcp", "me:hush-hush@h/mcp"]) {
      const said = trouble([], { type: "http", url });
      expect(said).toContain("…@h/mcp");
      expect(said).toContain("write / as %2F");
      expect(said).not.toContain("hush");
    }
  });
});

test("a transport can be insisted on", () => {
  expect(http(["--transport", "sse", "https://h/"])).toMatchObject({ sse: true });
  expect(http(["--transport", "http"], { type: "sse", url: "https://h/" })).toMatchObject({ sse: false });
  expect(http([], { type: "sse", url: "https://h/" })).toMatchObject({ sse: true });
  expect(trouble(["--transport", "stdio", "https://h/"])).toContain("--transport stdio does not go with a URL");
  expect(trouble(["--transport", "sse", "--", "x"])).toContain("--transport sse does not go with a command");
  expect(trouble(["--inherit-env", "https://h/"])).toContain("--inherit-env is for a server that we start");
  expect(trouble(["--insecure", "--", "x"])).toContain("--insecure is for HTTP");
  expect(trouble([])).toContain("No target: give the URL");
});
