import { whyRefused } from "../library/addresses.ts";
import type { ServerTarget } from "../library/target.ts";
import type { McpSettings } from "./settings.ts";
import { quoted } from "./untrusted.ts";

/** How a tool is told which server to test. */
export interface TargetInput {
  readonly url?: string;
  readonly command?: string;
  readonly auth?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The members of an input schema that name the server; `command` only where commands are allowed. */
export function targetSchema({ commands }: McpSettings) {
  const url = {
    type: "string",
    pattern: "^[hH][tT][tT][pP][sS]?://",
    maxLength: 2000,
    description: "the URL of its endpoint (http or https)",
  };
  const http = {
    auth: {
      type: "string",
      maxLength: 16_000,
      description: 'the Authorization header, such as "Bearer …"; shown in no result',
    },
    headers: {
      type: "object",
      additionalProperties: { type: "string" },
      maxProperties: 50,
      description: "further headers; shown in no result",
    },
  };
  if (commands.length === 0) return { required: ["url"], properties: { url, ...http } };
  const command = {
    enum: commands.map(({ line }) => line),
    description: "in place of url: the command of a stdio server",
  };
  return { required: [], properties: { url, command, ...http } };
}

/** The target, or what keeps it from being tested, in words for the assistant. */
export async function targetOf(
  { url, command, auth, headers }: TargetInput,
  { addresses, commands }: McpSettings,
): Promise<ServerTarget | { readonly refused: string }> {
  if (command !== undefined) {
    // The schema says so, too; this is the last one to look.
    const allowed = commands.find(({ line }) => line === command);
    if (allowed === undefined)
      return { refused: "That command may not be started: only those given to --allow-stdio may." };
    if (url !== undefined) return { refused: "Give url or command, not both." };
    const [program, ...args] = allowed.words;
    return { type: "stdio", command: program, args };
  }
  if (url === undefined) return { refused: "Give the url of the server to test." };
  const why = await whyRefused(url, addresses);
  if (why !== undefined) return { refused: `${quoted(why)}. This server was started so as to refuse such addresses.` };
  const all = { ...headers, ...(auth === undefined ? {} : { Authorization: auth }) };
  return { type: "http", url, headers: all };
}
