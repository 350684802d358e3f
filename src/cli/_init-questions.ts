import { consola } from "consola";
import { type Answers, placeholder, variableFor } from "./_init-config.ts";
import { type Split, shellWords } from "./split.ts";
import { TRANSPORTS } from "./test-options.ts";
import { UsageError } from "./usage.ts";

/** Asks for what the command line left open. Undefined: the user has had enough. */
export async function asked(answers: Answers, split: Split): Promise<Answers | undefined> {
  const notes = [...answers.notes];
  try {
    const { config } = answers;
    const target = config.target ?? (await askTarget(notes));
    const timeout = config.timeout ?? (await askNumber("How long may each request take, in milliseconds?", 15_000));
    const startupTimeout =
      config.startupTimeout ??
      (await askNumber("How long may the first answer take, in milliseconds?", Math.max(timeout, 60_000)));
    const strict =
      split.switches.has("strict") ||
      (await consola.prompt("Fail (exit code 1) when a required check fails?", {
        type: "confirm",
        initial: true,
        cancel: "reject",
      }));
    return { notes, config: { target, ...config, timeout, startupTimeout, strict } };
  } catch (error) {
    if (error instanceof Error && error.name === "ConsolaPromptCancelledError") return undefined;
    throw error;
  }
}

export async function confirmed(question: string): Promise<boolean> {
  return (
    (await consola.prompt(question, { type: "confirm", initial: false, cancel: "default", default: "no" })) === true
  );
}

// --- internal ---

type Target = NonNullable<Answers["config"]["target"]>;

async function askTarget(notes: string[]): Promise<Target> {
  const chosen = await consola.prompt("How is the server reached?", {
    type: "select",
    options: [
      { label: "stdio", value: "stdio", hint: "a command starts it" },
      { label: "http", value: "http", hint: "a URL, Streamable HTTP" },
      { label: "sse", value: "sse", hint: "a URL, HTTP+SSE of 2024-11-05" },
    ],
    cancel: "reject",
  });
  const transport = TRANSPORTS.find((each) => each === chosen) ?? "stdio";
  if (transport === "stdio") {
    const [command = "", ...args] = await answered("Which command starts it? (node ./dist/server.js, say)", (text) => {
      const words = shellWords(text);
      return words.length === 0 ? undefined : words;
    });
    const env = await answered(
      "Which variables does it need? Names, or NAME=VALUE, separated by spaces; none: leave it empty.",
      (text) => shellWords(text).map((word) => variableFor(word, notes)),
      "",
    );
    return { type: "stdio", command, args, ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }) };
  }
  const url = await answered("What is its URL? (https://example.com/mcp, say)", (text) =>
    /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined,
  );
  const auth = await answered(
    "Which variable will hold its Authorization header? None: leave it empty.",
    (text) => (text === "" || /^[A-Za-z_]\w*$/.test(text) ? text : undefined),
    "",
  );
  return {
    type: transport,
    url,
    ...(auth === "" ? {} : { headers: { Authorization: placeholder(auth) } }),
  };
}

/** Asks until the answer can be used. */
async function answered<T>(question: string, read: (text: string) => T | undefined, otherwise?: string): Promise<T> {
  const shown = otherwise === undefined || otherwise === "" ? {} : { default: otherwise, placeholder: otherwise };
  for (;;) {
    const given = await consola.prompt(question, { type: "text", ...shown, cancel: "reject" });
    const text = (typeof given === "string" ? given : "").trim() || (otherwise ?? "");
    if (text === "" && otherwise === undefined) continue;
    try {
      const value = read(text);
      if (value !== undefined) return value;
      consola.warn(`${JSON.stringify(text)} can't be used here.`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      consola.warn(error.message);
    }
  }
}

const askNumber = (question: string, otherwise: number): Promise<number> =>
  answered(question, (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined), String(otherwise));
