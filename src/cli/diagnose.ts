import { tool } from "../about.ts";
import { diagnose as examine } from "../diagnose/diagnose.ts";
import type { Target } from "../engine/context.ts";
import type { Diagnosis } from "../model/diagnosis.ts";
import { diagnosisToJson, diagnosisToTerminal } from "../report/diagnosis.ts";
import { oneLine } from "../text/escape.ts";
import { createRedactor } from "../text/redact.ts";
import { loadConfig } from "./config.ts";
import { EXIT } from "./exit.ts";
import { onInterrupt } from "./interrupt.ts";
import { testSettings } from "./settings.ts";
import { resolveTarget } from "./target.ts";
import { targetOptions } from "./target-options.ts";
import { print, printError, screenOf } from "./terminal.ts";
import { last, type Verb } from "./verb.ts";

export const diagnose: Verb = {
  name: "diagnose",
  about: "find out why a server does not start, connect or answer",
  target: "<url | command…>",
  options: [...targetOptions, { name: "json", group: "Output", about: "the diagnosis as one JSON document on stdout" }],
  examples: [
    "mcp-assay diagnose https://example.com/mcp",
    "mcp-assay diagnose npx -y @modelcontextprotocol/server-everything",
    "mcp-assay diagnose --json -E API_KEY=x -- node server.js",
    "mcp-assay diagnose --mcp-json .mcp.json --server files",
  ],
  notes: [
    "It names one cause, with what shows it and what to do about it. A URL is asked three times, a command started three times, each time a little differently.",
    "Exit codes: 0 every stage passes; 1 a later stage fails; 3 no JSON-RPC message came; 4 nothing but refusals of the credential.",
  ],
  async run(split) {
    const { env, platform } = process;
    const machine = { env, cwd: process.cwd(), platform };
    const { config } = loadConfig(last(split, "config"), machine.cwd);
    const { times, verbose } = testSettings(split, config);
    const { target, secrets, remark } = resolveTarget(split, config.target, machine);
    if (remark !== undefined) await printError(`note: ${remark}`);
    const redact = createRedactor(secrets);
    const signal = onInterrupt();
    const tell = (text: string) => void printError(oneLine(redact(text), 300));
    const found = await examine({
      target: verbose && target.kind === "stdio" ? { ...target, stderr: (line) => tell(`server: ${line}`) } : target,
      times,
      proxyVariables: proxyVariablesOf(target, env),
      ...(verbose || process.stderr.isTTY ? { say: (text: string) => tell(`${text} …`) } : {}),
      signal,
      clock: () => performance.now(),
      redact,
    });
    const exitCode = signal.aborted ? EXIT.interrupted : exitCodeOf(found);
    const screen = screenOf(process.stdout, split.switches.has("no-color"));
    await print(
      split.switches.has("json")
        ? diagnosisToJson(found, { redact, tool: tool.version, exitCode })
        : diagnosisToTerminal(found, { ...screen, redact }),
    );
    return exitCode;
  },
};

// --- internal ---

function exitCodeOf({ refused, heard, ok }: Diagnosis): number {
  if (refused) return EXIT.unauthorized;
  if (!heard) return EXIT.unreachable;
  return ok ? EXIT.fine : EXIT.findings;
}

/** Proxies that other programs would use here. We use what --proxy says, and only tell of these. */
function proxyVariablesOf(target: Target, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (target.kind !== "http" || target.tls.proxy !== undefined) return [];
  const name = target.url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [name, name.toLowerCase(), "ALL_PROXY", "all_proxy"].filter((each) => (env[each] ?? "") !== "");
}
