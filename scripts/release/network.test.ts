// The program connects to its target and to nothing else: every verb under a tracer that sees each connection.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../../src/cli/binary.fixture.ts";
import { VERBS } from "../../src/cli/main.ts";
import { listen } from "../../src/reference/http.ts";
import { createReference } from "../../src/reference/server.ts";

setDefaultTimeout(180_000);
const folder = mkdtempSync(join(tmpdir(), "network-"));
const reason = untraceable();
if (reason !== undefined) console.warn(`SKIPPED: no connection is traced, since ${reason}`);
let server: Awaited<ReturnType<typeof listen>>;
let target: string;

beforeAll(async () => {
  server = await listen(createReference({}, []), 0);
  target = `127.0.0.1:${new URL(server.url).port}`;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Checks whose subject is another address, and a few that are not. */
const PROBING = "security-ssrf-internal,security-oauth-metadata,security-tls-required,lifecycle-init,tools-list";
/** How each verb is run, and whom it may reach: nobody, the target, or servers that it starts itself. */
const RUNS: Readonly<Record<string, readonly [reach: "nobody" | "target" | "own", ...args: string[][]]>> = {
  test: [
    "target",
    [
      "test",
      "URL",
      "--only",
      PROBING,
      "--format",
      "json=A.json",
      "--format",
      "html=A.html",
      "--format",
      "sarif=A.sarif",
    ],
    ["test", "--only", "lifecycle-init", "--", "SELF", "serve"],
    ["test", "--list"],
  ],
  diagnose: ["target", ["diagnose", "URL"], ["diagnose", "--", "SELF", "serve"]],
  benchmark: ["target", ["benchmark", "URL", "-r", "3"]],
  diff: ["nobody", ["diff", "A.json", "A.json"]],
  explain: ["nobody", ["explain", "tools-list"], ["explain", "--list"]],
  expect: ["nobody", ["expect", "A.json"]],
  init: ["nobody", ["init", "--yes", "URL"]],
  completion: ["nobody", ["completion", "bash"]],
  serve: ["nobody", ["serve"]],
  mcp: ["nobody", ["mcp"]],
  demo: ["own", ["demo", "--only", "tools"]],
  selftest: ["own", ["selftest", "--only", "transport-post", "--spec-version", "2025-11-25"]],
};

test("every verb is tried", () => {
  expect(Object.keys(VERBS).filter((verb) => RUNS[verb] === undefined)).toEqual([]);
});

for (const verb of Object.keys(VERBS)) {
  const [reach, ...runs] = RUNS[verb] ?? (["nobody"] as const);
  test.skipIf(reason !== undefined)(`${verb} reaches ${reach === "own" ? "only what it starts" : reach}`, async () => {
    for (const args of runs) {
      const reached = await trace(args);
      if (reach === "own") expect(reached.filter((each) => !/^(127\.0\.0\.1|::1):\d+$/.test(each))).toEqual([]);
      else expect([args, reached]).toEqual([args, reach === "target" && args.includes("URL") ? [target] : []]);
    }
  });
}

test.skipIf(reason !== undefined)("the tracer does see a connection to somebody else", async () => {
  const code = `require("net").connect(9, "127.0.0.9").on("error", () => {}); require("dns").resolve("example.invalid", () => {})`;
  expect(await traced([process.execPath, "-e", code])).toContain("127.0.0.9:9");
});

// --- internal ---

const trace = (args: readonly string[]): Promise<readonly string[]> =>
  traced([binary(), ...args.map((word) => (word === "URL" ? server.url : word === "SELF" ? binary() : word))]);

/** The addresses that a command and its children send anything to, each once. */
async function traced(command: readonly string[]): Promise<readonly string[]> {
  const log = join(folder, "trace");
  const calls = "--trace=connect,sendto,sendmsg,sendmmsg";
  // Not spawnSync: the server that is reached lives in this very process.
  const child = Bun.spawn(["strace", "--follow-forks", "--seccomp-bpf", "-qq", calls, `--output=${log}`, ...command], {
    ...{ cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });
  await child.exited;
  const found = readFileSync(log, "utf8").matchAll(
    /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g,
  );
  return [...new Set([...found].map(([, port, v4, v6]) => `${v4 ?? v6}:${port}`))];
}

function untraceable(): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  if (Bun.which("strace") === null) return "there is no strace here";
  const log = join(folder, "tried");
  writeFileSync(log, "");
  const { exitCode } = Bun.spawnSync(["strace", "--follow-forks", "--seccomp-bpf", `--output=${log}`, "true"]);
  return exitCode === 0 && existsSync(log) ? undefined : "processes may not be traced here";
}
