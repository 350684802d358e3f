import { type Answers, noteCredential, placeholder, refuseForeign, variableFor } from "./_init-config.ts";
import { type Asker, Cancelled } from "./ask.ts";
import { type Split, shellWords } from "./split.ts";
import { TRANSPORTS } from "./target-options.ts";
import { choice } from "./values.ts";
import { last } from "./verb.ts";

/** Asks for what the command line left open. Undefined: the user has had enough. */
export async function asked(asker: Asker, answers: Answers, split: Split): Promise<Answers | undefined> {
  const notes = [...answers.notes];
  const { config } = answers;
  try {
    const target = config.target ?? (await askTarget(asker, split, notes));
    const timeout = config.timeout ?? (await askNumber(asker, "How long may each request take, in ms?", 15_000));
    const startupTimeout =
      config.startupTimeout ??
      (await askNumber(asker, "How long may the first answer take, in ms?", Math.max(timeout, 60_000)));
    const strict =
      split.switches.has("strict") || (await asker.confirm("Exit with 1 when a required check fails?", true));
    return { notes, config: { target, ...config, timeout, startupTimeout, strict } };
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

// --- internal ---

type Target = NonNullable<Answers["config"]["target"]>;

async function askTarget(asker: Asker, split: Split, notes: string[]): Promise<Target> {
  const given = choice(split, "transport", TRANSPORTS);
  const transport =
    given ??
    (await asker.choose("How is the server reached?", [
      ["stdio", "a command starts it"],
      ["http", "a URL, Streamable HTTP"],
      ["sse", "a URL, HTTP+SSE of 2024-11-05"],
    ]));
  refuseForeign(split, transport === "stdio");
  if (transport === "stdio") {
    const [command = "", ...args] = await asker.text(
      "Which command starts it? (node ./dist/server.js, say)",
      (text) => {
        const words = shellWords(text);
        return words.length === 0 ? undefined : words;
      },
    );
    const named = split.values.get("env")?.map((text) => variableFor(text, notes));
    const env =
      named ??
      (await asker.text(
        "Which variables does it need? NAME or NAME=VALUE, separated by blanks; none: just Enter.",
        (text) => shellWords(text).map((word) => variableFor(word, notes)),
        "",
      ));
    const cwd = last(split, "cwd");
    return {
      type: "stdio",
      command,
      args,
      ...(cwd === undefined ? {} : { cwd }),
      ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
    };
  }
  const url = await asker.text("What is its URL? (https://example.com/mcp, say)", (text) =>
    /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined,
  );
  noteCredential(url, notes);
  const auth =
    last(split, "auth-env") ??
    (await asker.text(
      "Which variable will hold its Authorization header? None: just Enter.",
      (text) => (text === "" || /^[A-Za-z_]\w*$/.test(text) ? text : undefined),
      "",
    ));
  return {
    type: transport,
    url,
    ...(auth === "" ? {} : { headers: { Authorization: placeholder(auth) } }),
  };
}

const askNumber = (asker: Asker, question: string, otherwise: number): Promise<number> =>
  asker.text(question, (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined), String(otherwise));
