import { environment, tool } from "../about.ts";
import { terminal } from "../text/escape.ts";
import { createRedactor } from "../text/redact.ts";
import { EXIT } from "./exit.ts";
import { overview, usage } from "./help.ts";
import { split } from "./split.ts";
import { print, printError, screenOf, toleratePipes } from "./terminal.ts";
import { nearest, UsageError } from "./usage.ts";
import type { Verb } from "./verb.ts";

/** Verbs are loaded when they are asked for: starting fast matters to whoever runs us in a loop. */
export const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  test: async () => (await import("./test.ts")).test,
  diagnose: async () => (await import("./diagnose.ts")).diagnose,
  benchmark: async () => (await import("./benchmark.ts")).benchmark,
  diff: async () => (await import("./diff.ts")).diff,
  explain: async () => (await import("./explain.ts")).explain,
  expect: async () => (await import("./expect.ts")).expectVerb,
  init: async () => (await import("./init.ts")).init,
  completion: async () => (await import("./completion.ts")).completion,
  mcp: async () => (await import("./mcp.ts")).mcp,
  serve: async () => (await import("./serve.ts")).serve,
  demo: async () => (await import("./demo.ts")).demo,
  selftest: async () => (await import("./selftest.ts")).selftest,
};

/** Runs the command line and returns the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  toleratePipes();
  try {
    return await dispatch(argv);
  } catch (error) {
    if (error instanceof UsageError) {
      await printError(`mcp-assay: ${shown(error.message)}`);
      return EXIT.usage;
    }
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await printError(
      `mcp-assay ${tool.version} (${tool.commit}) is at fault, not the server. Please report this:\n${shown(words)}`,
    );
    return EXIT.ourFault;
  }
}

// --- internal ---

/** A message may quote a command line: without the credentials of its URLs, and inert. */
const shown = (message: string): string => terminal(createRedactor([])(message), { newlines: true });

async function dispatch(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === "--version" || name === "-v" || name === "version") {
    await print(`mcp-assay ${tool.version} (${tool.commit}, ${environment.runtime})`);
    return EXIT.fine;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const wanted = name === "help" ? rest[0] : undefined;
    const screen = screenOf(process.stdout, false);
    await print(
      wanted === undefined
        ? overview(await Promise.all(Object.values(VERBS).map((load) => load())), screen)
        : usage(await verbNamed(wanted), screen),
    );
    return name === undefined ? EXIT.usage : EXIT.fine;
  }
  const verb = await verbNamed(name);
  const stop = rest.indexOf("--");
  const ours = stop < 0 ? rest : rest.slice(0, stop);
  const target = ours.findIndex((word) => !word.startsWith("-"));
  if ((target < 0 ? ours : ours.slice(0, target)).some((word) => word === "--help" || word === "-h")) {
    await print(usage(verb, screenOf(process.stdout, false)));
    return EXIT.fine;
  }
  return verb.run(split(rest, verb.options, verb.operands));
}

async function verbNamed(name: string): Promise<Verb> {
  const load = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (load !== undefined) return load();
  if (/^https?:\/\//i.test(name)) throw new UsageError(`A verb comes first: mcp-assay test ${name}`);
  const meant = nearest(name, Object.keys(VERBS));
  throw new UsageError(
    `There is no verb ${JSON.stringify(name)}: ${meant === undefined ? `it is one of ${Object.keys(VERBS).join(", ")}` : `did you mean ${meant}?`}`,
  );
}
