import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clientServer } from "./client-config.ts";

const cwd = mkdtempSync(join(tmpdir(), "mcp-assay-client-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const env = { API_KEY: "key-1234", HOME: "/home/me" };

function read(name: string, document: unknown, wanted?: string) {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), typeof document === "string" ? document : JSON.stringify(document));
  const found: string[] = [];
  const server = clientServer(name, wanted, { env, cwd }, (secret) => void found.push(secret.name));
  return { ...server, found };
}
const trouble = (document: unknown, wanted?: string): string => {
  try {
    return `no error: ${JSON.stringify(read("x.json", document, wanted).target)}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "?";
  }
};

describe("the configurations of clients", () => {
  test("Claude Desktop and Claude Code: mcpServers, $-variables with defaults", () => {
    const document = {
      mcpServers: {
        files: { command: "npx", args: ["-y", "pkg", "${HOME}"], env: { KEY: "${API_KEY}", MODE: "${MODE:-dev}" } },
        far: { type: "http", url: "https://${HOST:-h}/mcp", headers: { Authorization: "Bearer ${API_KEY}" } },
      },
    };
    expect(read(".mcp.json", document, "files")).toMatchObject({
      target: {
        type: "stdio",
        command: "npx",
        args: ["-y", "pkg", "/home/me"],
        env: { KEY: "key-1234", MODE: "dev" },
      },
      folder: cwd,
      found: expect.arrayContaining(["API_KEY"]),
    });
    expect(read(".mcp.json", document, "far").target).toEqual({
      type: "http",
      url: "https://h/mcp",
      headers: { Authorization: "Bearer key-1234" },
    });
  });

  test("Claude Code's file of the user: servers of this project, too", () => {
    const document = { projects: { [cwd]: { mcpServers: { mine: { type: "sse", url: "https://h/sse" } } } } };
    expect(read("claude.json", document).target).toEqual({ type: "sse", url: "https://h/sse", headers: {} });
  });

  test("Cursor: comments, a byte order mark, ${env:X}, folders and an env file", () => {
    const text = `\ufeff{
      // ours
      "mcpServers": {
        "it": { "command": "\${workspaceFolder}/bin/it", "args": ["\${workspaceFolderBasename}", "\${userHome}\${/}x"],
                "env": { "K": "\${env:API_KEY}" }, "envFile": "\${workspaceFolder}/.env", },
      },
    }`;
    expect(read(".cursor/mcp.json", text)).toMatchObject({
      target: { command: `${cwd}/bin/it`, args: [cwd.split("/").at(-1), "/home/me/x"], env: { K: "key-1234" } },
      envFile: `${cwd}/.env`,
      folder: cwd,
    });
  });

  test("VS Code: servers with inputs, in mcp.json and in settings.json", () => {
    const servers = {
      far: { type: "http", url: "https://h/", headers: { "X-Key": "${input:api-key}", "X-Mode": "${input:mode}" } },
      near: { type: "stdio", command: "node", args: ["s.js"], env: { GONE: null, PORT: 3000 } },
    };
    const inputs = [
      { id: "api-key", type: "promptString", password: true, description: "the key" },
      { id: "mode", type: "promptString", default: "safe" },
    ];
    for (const document of [{ inputs, servers }, { mcp: { inputs, servers } }]) {
      const { target, found } = read(".vscode/mcp.json", document, "far");
      expect(target).toMatchObject({ headers: { "X-Key": "key-1234", "X-Mode": "safe" } });
      expect(found).toContain("API_KEY");
      expect(read(".vscode/mcp.json", document, "near").target).toMatchObject({ env: { PORT: "3000" } });
    }
    const other = {
      inputs: [{ id: "pat", description: "a token" }],
      servers: { s: { url: "https://h/${input:pat}" } },
    };
    expect(trouble(other)).toBe(
      'UsageError: x.json: the server "s": url wants the input "pat" (a token), which the editor would ask for: set the variable PAT, and run again.',
    );
  });

  test("Windsurf and others: serverUrl, disabled, types by other names", () => {
    const document = {
      mcpServers: {
        off: { command: "no", disabled: true },
        on: { serverUrl: "https://h/mcp", headers: { A: "${env:API_KEY}" } },
      },
    };
    expect(read("mcp_config.json", document)).toMatchObject({ name: "on", disabled: false });
    expect(read("mcp_config.json", document, "off")).toMatchObject({ name: "off", disabled: true });
    for (const type of ["streamable-http", "streamableHttp", "http", "remote"]) {
      expect(read("x.json", { mcpServers: { s: { type, url: "https://h/" } } }).target.type).toBe("http");
    }
    expect(read("x.json", { mcpServers: { s: { httpUrl: "https://a/", url: "https://b/" } } }).target).toMatchObject({
      url: "https://a/",
    });
  });
});

describe("what is wrong is named", () => {
  const two = { mcpServers: { alpha: { command: "a" }, beta: { command: "b" } } };
  const wrong: readonly [document: unknown, wanted: string | undefined, message: string][] = [
    ["{ nonsense", undefined, 'x.json: line 1, column 3: unexpected "nonsense"'],
    [{ other: 1 }, undefined, 'x.json has neither "mcpServers" nor "servers"'],
    [{ mcpServers: {} }, undefined, "x.json has no server in it"],
    [two, undefined, "x.json has several servers: choose one with --server (alpha, beta)"],
    [two, "alhpa", 'x.json has no server "alhpa": did you mean "alpha"?'],
    [two, "zzzzzz", "it has alpha, beta"],
    [{ mcpServers: { s: {} } }, undefined, "has no command and no URL"],
    [{ mcpServers: { s: { type: "ws", url: "ws://h/" } } }, undefined, 'of the type "ws"'],
    [{ mcpServers: { s: { type: "stdio", url: "https://h/" } } }, undefined, "has no command and a URL"],
    [{ mcpServers: { s: { command: ["a"] } } }, undefined, "command is no text"],
    [{ mcpServers: { s: { command: "a", args: "b" } } }, undefined, "args is no list of texts"],
    [{ mcpServers: { s: { command: "a", args: [1] } } }, undefined, "args[0] is no text"],
    [{ mcpServers: { s: { command: "a", env: { A: {} } } } }, undefined, "env.A is no text"],
    [
      { mcpServers: { s: { command: "${GONE}" } } },
      undefined,
      "command wants ${GONE}, and the variable GONE is not set",
    ],
    [{ mcpServers: { s: { command: "${file}", args: ["${command:x y}"] } } }, undefined, "file"],
  ];
  for (const [document, wanted, message] of wrong) {
    test(message, () => expect(trouble(document, wanted)).toContain(message));
  }
});
