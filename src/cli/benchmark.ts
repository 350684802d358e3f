import { tool } from "../about.ts";
import { type Ask, benchmark as measure, Unbenchable } from "../benchmark/benchmark.ts";
import type { Benchmark } from "../model/benchmark.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { benchmarkToJson, benchmarkToTerminal } from "../report/benchmark.ts";
import { revisions } from "../revisions/index.ts";
import { oneLine } from "../text/escape.ts";
import { createRedactor } from "../text/redact.ts";
import { loadConfig } from "./config.ts";
import { EXIT } from "./exit.ts";
import { onInterrupt } from "./interrupt.ts";
import { progressOn } from "./progress.ts";
import { testSettings } from "./settings.ts";
import type { Option, Split } from "./split.ts";
import { resolveTarget } from "./target.ts";
import { targetOptions } from "./target-options.ts";
import { print, printError, screenOf } from "./terminal.ts";
import { testOptions } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import { whole } from "./values.ts";
import { last, type Verb } from "./verb.ts";

const MEASURED = "What is measured";
const MOST = 1_000_000;

const own: readonly Option[] = [
  {
    name: "requests",
    short: "r",
    value: "<n>",
    group: MEASURED,
    about: "how many requests are sent",
    otherwise: "100",
  },
  {
    name: "concurrency",
    short: "c",
    value: "<n>",
    group: MEASURED,
    about: "how many are under way at once",
    otherwise: "1",
  },
  {
    name: "method",
    value: "<method>",
    group: MEASURED,
    about: "ask this method",
    otherwise: "ping, or server/discover in 2026-07-28",
  },
  { name: "params", value: "<json>", group: MEASURED, about: "the parameters for --method, a JSON object" },
  { name: "tool", value: "<name>", group: MEASURED, about: "call this tool" },
  {
    name: "arguments",
    value: "<json>",
    group: MEASURED,
    about: "the arguments for --tool, a JSON object",
    otherwise: "what its schema requires",
  },
  { name: "allow-destructive", group: MEASURED, about: "call the tool although it is annotated as destructive" },
];

export const benchmark: Verb = {
  name: "benchmark",
  about: "measure how fast a server answers",
  target: "<url | command…>",
  options: [
    ...own,
    ...testOptions.filter(({ name }) => name === "spec-version"),
    ...targetOptions,
    { name: "json", group: "Output", about: "the result as one JSON document on stdout" },
  ],
  examples: [
    "mcp-assay benchmark https://example.com/mcp -r 200 -c 4",
    "mcp-assay benchmark -r 200 -c 4 -- node ./dist/server.js",
    'mcp-assay benchmark --tool search --arguments \'{"query":"x"}\' https://example.com/mcp --json',
  ],
  notes: [
    "One session is opened, and the same request is sent again and again on it. A reply with an error is a failure. Times are those of the requests that succeeded.",
    "Exit codes: 0 all succeeded; 1 some failed; 3 no JSON-RPC message came; 4 the credential is refused.",
  ],
  async run(given) {
    const { split, moved } = trailing(given);
    if (moved.length > 0) {
      await printError(
        `note: ${moved.join(" ")} after the command are taken as options of benchmark; put them before -- to say so.`,
      );
    }
    const { env, platform } = process;
    const machine = { env, cwd: process.cwd(), platform };
    const { config } = loadConfig(last(split, "config"), machine.cwd);
    const { times, specVersion, verbose } = testSettings(split, config);
    const { target, secrets, remark } = resolveTarget(split, config.target, machine);
    if (remark !== undefined) await printError(`note: ${remark}`);
    const redact = createRedactor(secrets);
    const json = split.switches.has("json");
    const live = process.stderr.isTTY === true && !verbose;
    const progress = progressOn(process.stderr, { verbose: true, redact });
    const patience = setTimeout(() => {
      if (!json && specVersion === "auto") progress.say(WAITING);
    }, 2000);
    const signal = onInterrupt();
    const tell = (line: string) => void printError(`server: ${oneLine(redact(line), 300)}`);
    try {
      const result = await measure({
        target: verbose && target.kind === "stdio" ? { ...target, stderr: tell } : target,
        revision: specVersion === "auto" ? "auto" : revisions[specVersion],
        times,
        requests: countOf(split),
        concurrency: whole(split, "concurrency", 4) ?? 1,
        ...askOf(split),
        settled: () => clearTimeout(patience),
        ...(live
          ? { progress: (done: number, of: number) => void process.stderr.write(`\r\u001b[2K${done}/${of}`) }
          : {}),
        signal,
        clock: () => performance.now(),
      });
      if (live) process.stderr.write("\r\u001b[2K");
      const exitCode = signal.aborted ? EXIT.interrupted : exitCodeOf(result);
      const screen = screenOf(process.stdout, split.switches.has("no-color"));
      await print(
        json
          ? benchmarkToJson(result, { redact, tool: tool.version, exitCode })
          : benchmarkToTerminal(result, { ...screen, redact }),
      );
      return exitCode;
    } catch (error) {
      if (error instanceof Unbenchable) throw new UsageError(oneLine(redact(error.message), 600));
      throw error;
    } finally {
      clearTimeout(patience);
    }
  },
};

/**
 * Options that stand behind the command, as the older tool's documentation has them: `-- node server.js -r 200 -c 4`.
 * They are ours if neither stands before `--`.
 */
export function trailing(given: Split): { readonly split: Split; readonly moved: readonly string[] } {
  const words = [...given.words];
  const values = new Map(given.values);
  const moved: string[] = [];
  if (values.has("requests") || values.has("concurrency")) return { split: given, moved };
  while (words.length > 2) {
    const [flag = "", value = ""] = words.slice(-2);
    const name = { "-r": "requests", "--requests": "requests", "-c": "concurrency", "--concurrency": "concurrency" }[
      flag
    ];
    if (name === undefined || values.has(name) || !/^\d+$/.test(value)) break;
    values.set(name, [value]);
    moved.unshift(flag, value);
    words.length -= 2;
  }
  return { split: { ...given, values, words }, moved };
}

// --- internal ---

const WAITING =
  "waiting for the server's answer to server/discover; --spec-version 2025-11-25 leaves that question out";

function countOf(split: Split): number {
  const count = whole(split, "requests", 200) ?? 100;
  if (count > MOST) throw new UsageError(`--requests ${count} is more than ${MOST}: ask for fewer.`);
  return count;
}

function askOf(split: Split): { readonly ask?: Ask } {
  const method = last(split, "method");
  const name = last(split, "tool");
  if (method !== undefined && name !== undefined)
    throw new UsageError("--method and --tool are both given: keep one of them.");
  if (method === undefined && split.values.has("params"))
    throw new UsageError("--params are for --method METHOD: give it, too.");
  if (name === undefined && split.values.has("arguments"))
    throw new UsageError("--arguments are for --tool NAME: give it, too.");
  if (method === "tools/call") throw new UsageError("A tool is called by --tool NAME, and --arguments for it.");
  if (method !== undefined) {
    const params = objectOf(split, "params");
    return { ask: { method, ...(params === undefined ? {} : { params }) } };
  }
  if (name === undefined) return {};
  const args = objectOf(split, "arguments");
  return {
    ask: {
      tool: name,
      ...(args === undefined ? {} : { arguments: args }),
      destructive: split.switches.has("allow-destructive"),
    },
  };
}

function objectOf(split: Split, option: string): JsonObject | undefined {
  const text = last(split, option);
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json as JsonObject;
  } catch {
    // What it should be is said below.
  }
  throw new UsageError(
    `--${option} ${JSON.stringify(text.slice(0, 80))} is no JSON object: write it as --${option} '{"name":"value"}'.`,
  );
}

function exitCodeOf({ refused, heard, failures, sent, requests }: Benchmark): number {
  if (refused) return EXIT.unauthorized;
  if (!heard) return EXIT.unreachable;
  return failures.length > 0 || sent < requests ? EXIT.findings : EXIT.fine;
}
