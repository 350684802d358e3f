import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createTls } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { at } from "../model/json.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { CA, GOOD, KEY } from "../wire/certificates.fixture.ts";
import { assay, binary, type Running } from "./binary.fixture.ts";
import { testOptions } from "./test-options.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "mcp-assay-options-")));
const closing: (() => unknown)[] = [() => rmSync(cwd, { recursive: true, force: true })];
afterAll(() => Promise.all(closing.map((close) => close())));

/** A server in front of the reference that remembers what it was sent, and how many requests it had at once. */
let url = "";
let secure = "";
const seen: IncomingMessage[] = [];
let most = 0;
let silent = false;
beforeAll(async () => {
  binary();
  const reference = await listen(createReference({}, []), 0);
  let now = 0;
  const front = (got: IncomingMessage, answer: import("node:http").ServerResponse) => {
    seen.push(got);
    if (silent) return;
    // A session's farewell may be under way beside the next request.
    if (got.method === "POST") most = Math.max(most, ++now);
    const { method, headers } = got;
    // As a proxy it gets whole URLs.
    const path = new URL(got.url ?? "/", url).pathname;
    const behind = new URL(path, reference.url);
    const onwards = request(behind, { method, headers: { ...headers, host: behind.host } }, (reply) => {
      // A little late, so that requests meet.
      setTimeout(() => {
        if (got.method === "POST") now--;
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      }, 20);
    });
    onwards.on("error", () => answer.destroy());
    got.pipe(onwards);
  };
  const [plain, tls] = [createServer(front), createTls({ key: KEY, cert: GOOD }, front)];
  for (const server of [plain, tls]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
  }
  closing.push(reference.close);
  url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/mcp`;
  secure = `https://localhost:${(tls.address() as AddressInfo).port}/mcp`;
}, 120_000);

const covered = new Set<string>();
/** A test of these options of `test`, through the binary. */
function option(names: readonly string[], run: () => Promise<void>): void {
  for (const name of names) covered.add(name);
  test(names.map((name) => `--${name}`).join(", "), run, 60_000);
}

const write = (name: string, text: unknown): string => {
  writeFileSync(join(cwd, name), typeof text === "string" ? text : JSON.stringify(text));
  return name;
};
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
const run = (args: readonly string[], more: Running = {}) => assay(["test", ...args], { cwd, ...more });
/** The JSON report of one quick check. */
async function report(args: readonly string[], more: Running = {}) {
  const ran = await run(["--format", "json", ...args], more);
  return { ...ran, json: JSON.parse(ran.out) as unknown };
}
const legacy = ["--spec-version", "2025-11-25"];
const ping = [...legacy, "--only", "lifecycle-ping"];
const post = [...legacy, "--only", "transport-post"];
const served = (...faults: readonly string[]) => [
  "--",
  binary(),
  "serve",
  ...faults.flatMap((fault) => ["--fault", fault]),
];
const ids = (json: unknown): readonly unknown[] => {
  const tests = at(json, "tests");
  return Array.isArray(tests) ? tests.map((each: unknown) => at(each, "id")) : [];
};

describe("each documented option does what it says", () => {
  option(["config"], async () => {
    const target = { type: "stdio", command: binary(), args: ["serve"] };
    write("here.json", { target, specVersion: "2025-11-25", only: ["lifecycle-ping"], format: "json" });
    const ran = await run(["--config", "here.json"]);
    expect([ran.code, ids(JSON.parse(ran.out))]).toEqual([0, ["lifecycle-ping"]]);
    const over = await run(["--config", "here.json", "--only", "lifecycle-id-match"]);
    expect(ids(JSON.parse(over.out))).toEqual(["lifecycle-id-match"]);
  });

  option(["mcp-json", "server"], async () => {
    const servers = { no: { command: "no-such-command" }, yes: { command: binary(), args: ["${HOW:-serve}"] } };
    const ran = await run([...ping, "--mcp-json", write("client.json", { mcpServers: servers }), "--server", "yes"]);
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining("Grade A")]);
  });

  option(["spec-version", "only", "skip"], async () => {
    const { json } = await report([
      ...["--spec-version", "2026-07-28", "--only", "lifecycle-discover,resources"],
      ...["--only", "lifecycle-string-id", "--skip", "resources"],
      url,
    ]);
    expect([at(json, "specVersion"), ids(json)]).toEqual(["2026-07-28", ["lifecycle-discover", "lifecycle-string-id"]]);
  });

  option(["list", "transport"], async () => {
    const counts = async (...args: readonly string[]) =>
      (await run(["--list", ...args])).out.match(/^\d{4}-\d\d-\d\d: \d+ checks$/gm);
    expect(await counts("--transport", "http")).toEqual(["2025-11-25: 85 checks", "2026-07-28: 99 checks"]);
    expect(await counts("--transport", "stdio")).toEqual(["2025-11-25: 55 checks", "2026-07-28: 75 checks"]);
    expect(await counts("--spec-version", "2025-11-25")).toEqual(["2025-11-25: 88 checks"]);
    expect(await counts("https://h/mcp")).toEqual(await counts("--transport", "http"));
    seen.length = 0;
    await run(["--transport", "sse", "--only", "lifecycle-ping", "--timeout", "500", "--startup-timeout", "500", url]);
    expect([seen[0]?.method, seen[0]?.headers.accept]).toEqual(["GET", "text/event-stream"]);
    expect((await run(["--transport", "http", ...served()])).code).toBe(2);
  });

  option(["allow-destructive"], async () => {
    const warned = async (...args: readonly string[]) =>
      (await report([...legacy, "--only", "tools-call", ...args, url])).out.includes("Tools never called");
    expect([await warned(), await warned("--allow-destructive")]).toEqual([true, false]);
  });

  option(["header", "auth", "header-env", "auth-env", "header-file"], async () => {
    write("headers.txt", "X-File: from-file\n# no header\n");
    const headers = [
      "-H",
      "X-One: 1",
      "--header",
      "X-Two: 2",
      "--header-env",
      "X-Env=SECRET",
      "--header-file",
      "headers.txt",
    ];
    const env = { SECRET: "whole-value-of-it", TOKEN: "Bearer from-the-environment" };
    for (const [args, authorization] of [
      [["--auth", "Basic abc"], "Basic abc"],
      [["--auth-env", "TOKEN"], "Bearer from-the-environment"],
    ] as const) {
      seen.length = 0;
      const { out, err } = await run([...post, ...headers, ...args, url], { env });
      for (const { headers } of seen) {
        expect(headers).toMatchObject({
          "x-one": "1",
          "x-two": "2",
          "x-env": "whole-value-of-it",
          "x-file": "from-file",
          authorization,
        });
      }
      expect(seen.length).toBeGreaterThan(0);
      expect(out + err).not.toContain("whole-value-of-it");
    }
  });

  option(["ca-file", "insecure", "proxy"], async () => {
    expect((await run([...post, secure])).code).toBe(3);
    expect((await run([...post, "--ca-file", write("ca.pem", CA), secure])).code).toBe(0);
    expect((await run([...post, "--insecure", secure])).code).toBe(0);
    seen.length = 0;
    expect((await run([...post, "--proxy", new URL(url).host, "http://mcp.invalid/mcp"])).code).toBe(0);
    expect(seen[0]?.url).toBe("http://mcp.invalid/mcp");
  });

  option(["env", "env-file", "inherit-env", "cwd"], async () => {
    write(".env", "\ufeffFROM_FILE='a b'\r\nBOTH=file\r\n");
    const script = `env > "$OUT"; pwd >> "$OUT"; exec "${binary()}" serve`;
    const told = async (...args: readonly string[]) => {
      const out = join(cwd, "told.txt");
      await run([...ping, "-E", `OUT=${out}`, ...args, "--", "sh", "-c", script], { env: { OURS: "ours" } });
      return read("told.txt").split("\n");
    };
    const given = await told("--env-file", ".env", "-E", "BOTH=flag", "--env", "OTHER=x=y", "--cwd", "/");
    expect(given).toEqual(expect.arrayContaining(["FROM_FILE=a b", "BOTH=flag", "OTHER=x=y", "/"]));
    expect(given).not.toContain("OURS=ours");
    expect(await told("--inherit-env")).toEqual(expect.arrayContaining(["OURS=ours", cwd]));
  });

  option(["timeout", "startup-timeout"], async () => {
    const mute = ["--", binary(), "serve", "--world", "mute"];
    const { out } = await run([...ping, "--timeout", "310", ...mute]);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/ping was not answered|no reply within 310 ms/);
    const dead = await run([...ping, "--startup-timeout", "320", "--", "sleep", "60"]);
    expect([dead.code, dead.out.replaceAll(/\s+/g, " ")]).toEqual([
      3,
      expect.stringContaining("initialize was not answered within"),
    ]);
  });

  option(["preflight-timeout", "transcript"], async () => {
    silent = true;
    const limits = ["--preflight-timeout", "250", "--startup-timeout", "500", "--timeout", "200"];
    await run([...limits, "--only", "lifecycle-ping", "--transcript", "all.jsonl", url]);
    silent = false;
    const [first, second, third] = read("all.jsonl")
      .split("\n")
      .slice(0, 3)
      .map((line) => JSON.parse(line) as unknown);
    const method = (line: unknown) => /"method":"([^"]+)"/.exec(String(at(line, "sent", "text")))?.[1];
    expect([first, second, third].map(method)).toEqual(["server/discover", "server/discover", "initialize"]);
    // Each has a limit of its own: the first, the preflight's; the second, that of the start.
    expect(Number(at(second, "ms")) - Number(at(first, "ms"))).toBeGreaterThan(100);
  });

  option(["retries"], async () => {
    const script = `if [ -e again ]; then exec "${binary()}" serve; fi; : > again; exec "${binary()}" serve --fault tools-list/1`;
    const { json, err } = await report([
      ...legacy,
      ...["--only", "tools-list", "--retries", "2", "--verbose", "--", "sh", "-c", script],
    ]);
    expect(at(json, "tests", 0)).toMatchObject({
      status: "pass",
      attempts: 2,
      note: expect.stringContaining("flaky: it passed at attempt 2"),
    });
    expect(err).toContain("(attempt 2)");
  });

  option(["concurrency"], async () => {
    const width = async (...args: readonly string[]) => {
      most = 0;
      await run([...legacy, "--only", "tools", ...args, url]);
      return most;
    };
    expect(await width()).toBe(1);
    expect(await width("--concurrency", "4")).toBeGreaterThan(1);
  });

  option(["strict", "min-grade"], async () => {
    const broken = [...legacy, "--only", "tools-list", ...served("tools-list/1")];
    expect((await run(broken)).code).toBe(0);
    expect((await run(["--strict", ...broken])).code).toBe(1);
    expect((await run(["--min-grade", "a", ...broken])).code).toBe(1);
    expect((await run(["--min-grade", "F", ...broken])).code).toBe(0);
    write("strict.json", { strict: true });
    expect((await run(["--config", "strict.json", "--no-strict", ...broken])).code).toBe(0);
  });

  option(["format", "output"], async () => {
    const ran = await run([
      ...ping,
      "--format",
      "markdown",
      "--format",
      "json=r.json",
      "--output",
      "b.svg",
      ...served(),
    ]);
    expect([ran.code, ran.out.startsWith("# "), ids(JSON.parse(read("r.json")))]).toEqual([
      0,
      true,
      ["lifecycle-ping"],
    ]);
    expect(read("b.svg")).toStartWith("<svg");
  });

  option(["verbose"], async () => {
    const script = `echo "from the server" >&2; exec "${binary()}" serve --fault tools-list/1`;
    const only = ["--only", "lifecycle-ping,tools-list,tools-pagination,lifecycle-progress-token"];
    const { err, out } = await run([...legacy, ...only, "--verbose", "--", "sh", "-c", script]);
    expect(err).toMatch(/^server: from the server$/m);
    expect(err).toMatch(/^PASS lifecycle-ping: \S/m);
    expect(err).toMatch(/^FAIL tools-list: expected \S/m);
    expect(out).not.toContain("from the server\n");
  });

  option(["no-color"], async () => {
    const env = { FORCE_COLOR: "1", NO_COLOR: "" };
    expect((await run([...ping, url], { env })).out).toContain("\u001b[");
    expect((await run([...ping, "--no-color", url], { env })).out).not.toContain("\u001b[");
  });
});

/** Options whose tests stand in files of their own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  watch: "watch.test.ts",
  "expected-failures": "expected.test.ts",
};

test("no option is without a test through the binary", () => {
  for (const [name, file] of Object.entries(ELSEWHERE)) {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    expect([name, text.includes(`--${name}`), text.includes("binary.fixture")]).toEqual([name, true, true]);
    covered.add(name);
  }
  expect([...covered].sort()).toEqual(testOptions.map(({ name }) => name).sort());
});

test("help, the README and the options agree", async () => {
  const { out } = await assay(["help", "test"]);
  const inHelp = [...out.matchAll(/^ {2}(?:-\w, | {4})--([a-z-]+)/gm)].map(([, name]) => name);
  const names = testOptions.map(({ name }) => name);
  expect(inHelp.sort()).toEqual([...names].sort());
  const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");
  const section = readme.slice(readme.indexOf("### Options of `test`"), readme.indexOf("<!-- End of the options"));
  for (const { name, about, otherwise } of testOptions) {
    const row = section.split("\n").find((line) => line.includes(`\`--${name}`) && line.startsWith("|")) ?? name;
    const plain = (text: string) => text.replaceAll(/\\\|/g, "|").replaceAll(/\s+/g, " ");
    expect(plain(row)).toContain(plain(about));
    if (otherwise !== undefined) {
      expect(row).toContain(otherwise);
      expect(plain(out)).toContain(`default: ${otherwise}`.split(" ").slice(0, 2).join(" "));
    }
  }
});
