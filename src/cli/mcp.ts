import type { Addresses } from "../library/addresses.ts";
import type { AllowedCommand, McpSettings } from "../mcp/settings.ts";
import { EXIT } from "./exit.ts";
import { onInterrupt } from "./interrupt.ts";
import { type Split, shellWords } from "./split.ts";
import { printError } from "./terminal.ts";
import { UsageError } from "./usage.ts";
import { last, type Verb } from "./verb.ts";

export const mcp: Verb = {
  name: "mcp",
  about: "be an MCP server that tests MCP servers, for assistants",
  operands: "plain",
  options: [
    { name: "http", value: "<port>", about: "listen on this loopback port (0: any)", otherwise: "stdio" },
    { name: "auth", value: "<token>", about: "want this bearer token (HTTP)" },
    { name: "public-only", about: "test servers at public addresses only: neither loopback nor private networks" },
    {
      name: "allow-stdio",
      value: "<command>",
      many: true,
      about: "let assistants start this very command line and test it",
      otherwise: "none",
    },
  ],
  examples: [
    "mcp-assay mcp",
    "mcp-assay mcp --public-only",
    'mcp-assay mcp --allow-stdio "node ./dist/server.js"',
    'mcp-assay mcp --http 8808 --auth "$TOKEN"',
  ],
  notes: [
    "Assistants name the servers that are tested. Link-local addresses and the metadata services of clouds are always refused.",
  ],
  async run(split) {
    const [word] = split.words;
    if (word !== undefined) {
      throw new UsageError(`mcp takes no target, and ${JSON.stringify(word)} is given: assistants name the servers.`);
    }
    const settings = settingsOf(split);
    const stop = onInterrupt();
    const http = last(split, "http");
    const auth = last(split, "auth");
    if (http === undefined) {
      if (auth !== undefined)
        throw new UsageError("--auth is for --http: on stdio there is only the client that starts us.");
      // The SDK: not before it is needed, and by nobody else.
      const { serveOnStdio } = await import("../mcp/stdio.ts");
      await Promise.race([serveOnStdio(settings), ended(stop)]);
      return EXIT.fine;
    }
    return listening(http, auth, settings, stop);
  },
};

// --- internal ---

const ended = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => stop.addEventListener("abort", () => resolve()));

function settingsOf(split: Split): McpSettings {
  const addresses: Addresses = split.switches.has("public-only") ? "public" : "no-metadata";
  const commands = (split.values.get("allow-stdio") ?? []).map((line): AllowedCommand => {
    const [command, ...args] = shellWords(line);
    if (command === undefined) throw new UsageError('--allow-stdio needs a command line, such as "node server.js".');
    return { line, words: [command, ...args] };
  });
  return { addresses, commands };
}

async function listening(
  text: string,
  auth: string | undefined,
  settings: McpSettings,
  stop: AbortSignal,
): Promise<number> {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new UsageError(`--http ${JSON.stringify(text)} is no port: give a number from 0 (any) to 65535.`);
  }
  if (auth === "") throw new UsageError("--auth is empty: give the token that clients have to send.");
  const { serveOnHttp } = await import("../mcp/http.ts");
  try {
    const { url, close } = await serveOnHttp(settings, port, auth);
    await printError(`listening on ${url}`);
    await ended(stop);
    await close();
    return EXIT.fine;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new UsageError(`Port ${port} can't be listened on (${code}): give another one, or 0 for any.`);
  }
}
