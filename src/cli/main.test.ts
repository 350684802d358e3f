import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { at } from "../model/json.ts";
import { assay, binary } from "./binary.fixture.ts";

const bun = process.execPath;

const quick = ["--timeout", "800", "--startup-timeout", "3000", "--spec-version", "2025-11-25"];
let served: readonly string[] = [];

let html = "";
let locked = "";
const server = createServer((request, response) => {
  if (request.url === "/locked") response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  else response.writeHead(200, { "content-type": "text/html" }).end("<h1>hello</h1>");
});
beforeAll(async () => {
  served = ["--", binary(), "serve"];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  html = `${base}/`;
  locked = `${base}/locked`;
}, 120_000);
afterAll(() => void server.close());

describe("each mistake ends with its message and exit code, and no stack trace", () => {
  const usage: readonly [name: string, args: readonly string[], message: string][] = [
    ["no target", ["test"], "No target: give the URL"],
    ["an unknown option", ["test", "--strikt", "https://h/"], "did you mean --strict?"],
    ["an unparsable URL", ["test", "http://[::1/mcp"], '"http://[::1/mcp" is no valid URL'],
    ["another scheme", ["test", "ws://h/mcp"], "give http:// or https://"],
    ["a host and port", ["test", "localhost:3000/mcp"], "did you mean http://localhost:3000/mcp?"],
    ["user and password without a scheme", ["test", "me:hush@host/mcp"], '"…@host/mcp" is no URL and no command'],
    ["an unknown verb", ["tset"], "did you mean test?"],
    ["a URL for a verb", ["https://h/mcp"], "A verb comes first: mcp-assay test https://h/mcp"],
    ["a number beyond all patience", ["test", "--timeout", "99999999999", "https://h/"], "is more than 999999999"],
    ["a format of a list", ["test", "--list", "--format", "json"], "explain --list --format json"],
    ["no number", ["test", "--timeout", "soon", "https://h/"], '--timeout "soon" is no whole number above 0'],
    ["an unknown format", ["test", "--format", "yaml", "https://h/"], '--format "yaml" is none of terminal, json'],
    ["no test to run", ["test", "--list", "--only", "nonsense"], "No tests to run"],
    ["a header without a colon", ["test", "-H", "X", "https://h/"], 'write it as "Name: value"'],
    ["a line break in a header", ["test", "--auth", "a\nb", "https://h/"], "a character that no HTTP header may carry"],
    ["-E for a URL", ["test", "-E", "A=1", "https://h/"], "is a URL: leave it out"],
    ["a folder that isn't there", ["test", "--cwd", "no-such-folder", "--", "node"], "is no folder"],
    ["a token that is empty", ["serve", "--http", "0", "--auth", ""], "mcp-assay: --auth is given no value"],
    ["JSON of a server", ["serve", "--json"], "--json is for --list-faults"],
    ["a token on stdio", ["serve", "--auth", "x"], "--auth is for HTTP: give --http PORT, too."],
    ["an unknown fault", ["serve", "--fault", "tools-list/99"], "There is no fault"],
  ];
  for (const [name, args, message] of usage) {
    test(name, async () => {
      const { code, out, err } = await assay(args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(message);
      expect(err).not.toMatch(/\n\s+at /);
    });
  }

  const tried: readonly [name: string, args: () => readonly string[], code: number, words: readonly string[]][] = [
    [
      "a command that doesn't exist",
      () => ["--", "no-such-command"],
      3,
      ['"no-such-command" was not found on PATH', "nothing was started"],
    ],
    ["a folder", () => ["--", "./src"], 3, ['"./src" is a folder: give the program in it']],
    ["a file that isn't executable", () => ["--", "./package.json"], 3, ["not executable"]],
    [
      "a server that exits at once",
      () => ["--", bun, "-e", "console.error('boom');process.exit(7)"],
      3,
      ["exited with code 7", "boom"],
    ],
    [
      "a server that never answers",
      () => ["--startup-timeout", "300", "--", bun, "-e", "setInterval(()=>{},1000)"],
      3,
      ["initialize was not answered within"],
    ],
    ["a port nobody listens on", () => ["http://127.0.0.1:1/mcp"], 3, ["ECONNREFUSED"]],
    ["a web page", () => [html], 3, ["it is a web page"]],
    ["a credential that is missing", () => [locked], 4, ["HTTP 401"]],
  ];
  for (const [name, args, code, words] of tried) {
    test(`${name}: a full report`, async () => {
      const limits = args().includes("--startup-timeout") ? ["--timeout", "300"] : quick;
      const ran = await assay(["test", ...limits, ...args()]);
      expect(ran.code).toBe(code);
      for (const word of words) expect(ran.out.replaceAll(/\s+/g, " ")).toContain(word);
      expect(ran.out).toContain("Grade F");
      // That we end it afterwards says nothing about it.
      expect(ran.out).not.toContain("killed by");
      expect(ran.out + ran.err).not.toMatch(/\n\s+at /);
    }, 30_000);
  }
});

describe("a run", () => {
  test("prints one JSON document on stdout, and tells its verdicts on stderr when asked", async () => {
    const { code, out, err } = await assay([
      "test",
      ...quick,
      "--format",
      "json",
      "--verbose",
      "--only",
      "tools,stdio-framing",
      ...served,
    ]);
    expect(code).toBe(0);
    const report: unknown = JSON.parse(out);
    expect([at(report, "schemaVersion"), at(report, "specVersion"), at(report, "grade")]).toEqual([
      "1",
      "2025-11-25",
      "A",
    ]);
    expect(err).toContain("PASS tools-list: ");
  }, 30_000);

  test.skipIf(!existsSync("/dev/full"))(
    "says so and exits with 2 where stdout can't be written",
    () => {
      const args = ["test", ...quick, "--only", "tools-list", ...served];
      for (const command of [args, ["explain", "--list"]]) {
        const line = `exec "$0" "$@" >/dev/full`;
        const { status, stderr } = spawnSync("sh", ["-c", line, binary(), ...command], { encoding: "utf8" });
        expect([status, stderr]).toEqual([2, expect.stringContaining("stdout can't be written: ENOSPC")]);
      }
    },
    30_000,
  );

  test("exits with 1 for findings only when asked to", async () => {
    const broken = [...served, "--fault", "tools-list/1"];
    expect((await assay(["test", ...quick, "--only", "tools-list", ...broken])).code).toBe(0);
    expect((await assay(["test", ...quick, "--only", "tools-list", "--strict", ...broken])).code).toBe(1);
    expect((await assay(["test", ...quick, "--only", "tools-list", "--min-grade", "b", ...broken])).code).toBe(1);
  }, 30_000);

  test("shows no secret that it was given", async () => {
    const secret = "tok-5f4dcc3b5aa765d61d8327deb882cf99";
    const args = ["test", ...quick, "--only", "transport-post", "--verbose", "--auth", `Bearer ${secret}`];
    for (const format of ["terminal", "json"]) {
      const { out, err } = await assay([...args, "--format", format, html]);
      expect(out.length).toBeGreaterThan(100);
      expect(out + err).not.toContain(secret);
    }
  }, 30_000);

  test("says of what is no message on stdout that nobody judged it, where nobody did", async () => {
    const noisy = ["--", "sh", "-c", `echo a banner; exec "${binary()}" serve`];
    const filtered = await assay(["test", ...quick, "--only", "tools-list", ...noisy]);
    expect(filtered.out.replaceAll(/\s+/g, " ")).toContain(
      'wrote 1 line that is no MCP message to stdout, first "a banner"',
    );
    const judged = await assay(["test", ...quick, "--only", "tools-list,stdio-framing", ...noisy]);
    expect(judged.out).not.toContain("no MCP message");
    expect(judged.out).toContain("stdio-framing");
  });

  test("lists what it would run without contacting anybody", async () => {
    const { code, out } = await assay(["test", "--list", "--transport", "stdio", "--only", "tools,lifecycle-init"]);
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => /^\d|^warning/.test(line))).toEqual([
      "2025-11-25: 5 checks",
      "2026-07-28: 6 checks",
      "warning: --only lifecycle-init matches no area and no check of 2026-07-28",
    ]);
  });

  test("leaves no process behind when it is interrupted", async () => {
    const script = "console.error('pid '+process.pid);setInterval(()=>{},1000);process.on('SIGTERM',()=>{})";
    let pid = 0;
    const { code, out } = await assay(["test", "--verbose", "--", bun, "-e", script], {
      started(child) {
        child.stderr?.on("data", (bytes) => {
          pid ||= Number(/pid (\d+)/.exec(String(bytes))?.[1] ?? 0);
          if (pid > 0) child.kill("SIGINT");
        });
      },
    });
    expect(code).toBe(130);
    expect(out).toContain("Grade F");
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }, 30_000);
});
