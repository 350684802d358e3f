import { callable, type Tool } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import type { StringArgument } from "../../schema/sample.ts";
import { baseline, fill, nameOf, slotsOf, unreached, wordsOf } from "./_slots.ts";

/** A tool that does as if a shell had read its text: nothing is run. */
const shell = (name: string, tool: string, argument: string, pattern: RegExp): Fault =>
  fault(name, (server) =>
    server.tool(tool, (args) => {
      const given = String(args[argument]);
      const text = given.replace(pattern, (_, a: string, b: string) => String(Number(a) * Number(b)));
      return { content: [{ type: "text", text }] };
    }),
  );

export default defineCheck({
  id: "security-command-injection",
  title: "Text in tool arguments is never run by a shell",
  why: "A model fills arguments with text that strangers wrote; if a shell reads it, they run commands on the server.",
  fix: "Start programs with an array of arguments (execFile, subprocess.run([...])), never with a command line put together from text.",
  snippet: ['execFile("git", ["log", "--", path]); // an array: no shell reads it'],
  effect: "shared",
  needs: { callable },
  faults: [
    shell("expands $( ) in a tool argument", "echo", "text", /\$\(expr (\d+) \\\* (\d+)\)/),
    shell("expands backticks in a tool argument", "echo", "text", /`expr (\d+) \\\* (\d+)`/),
    shell("runs what follows a semicolon in a tool argument", "echo", "text", /; expr (\d+) \\\* (\d+)/),
    shell("runs what follows text with more text behind it", "echo", "text", /; expr (\d+) \\\* (\d+) #/),
    shell("runs what follows a single quote in a tool argument", "echo", "text", /'; expr (\d+) \\\* (\d+) #/),
    shell("runs what follows an ampersand in a tool argument", "echo", "text", /& set \/a (\d+)\*(\d+)/),
    shell(
      "expands $( ) in an argument of another tool than its first",
      "find_notes",
      "query",
      /\$\(expr (\d+) \\\* (\d+)\)/,
    ),
    fault("puts what a shell printed into an error", (server) =>
      server.reply((reply, { method, params }) => {
        const found = /\$\(expr (\d+) \\+\* (\d+)\)/.exec(JSON.stringify(params));
        if (method !== "tools/call" || found === null) return reply;
        const message = `sh: ${Number(found[1]) * Number(found[2])}: not found`;
        return { jsonrpc: "2.0", id: reply.id, error: { code: -32603, message } };
      }),
    ),
    fault("dies of a dollar sign in a tool argument", (server) =>
      server.before("tools/call", ({ params, die }) => {
        if (JSON.stringify(params).includes("$(")) die();
      }),
    ),
  ],
  async run({ callable }, server) {
    const taking = slotsOf(callable, ({ format }) => format === undefined);
    if (taking.length === 0) return skipped("no tool that may be called takes free text");
    const slots = slotsOf(callable, (argument, tool) => argument.format === undefined && !runsCommands(argument, tool));
    if (slots.length === 0) return skipped("the tools that take free text are documented as running commands");
    // Small enough that cmd.exe, which counts with 32 bits, gets it right.
    const [a, b] = [20_000 + server.random(26_000), 20_000 + server.random(26_000)];
    const product = String(a * b);
    // The comment takes what the command line goes on with; a text between single quotes has to end them first.
    const payloads = [
      `$(expr ${a} \\* ${b})`,
      `\`expr ${a} \\* ${b}\``,
      `; expr ${a} \\* ${b} #`,
      `'; expr ${a} \\* ${b} #`,
      `& set /a ${a}*${b}`,
    ];
    let sent = 0;
    let reached = 0;
    for (const slot of slots) {
      const plain = await baseline(server, slot, "assay");
      if (plain === undefined || plain.text.includes(product)) continue;
      for (const payload of payloads) {
        const filled = await fill(server, slot, payload);
        if (filled === undefined) break;
        sent += 1;
        if (filled.text.includes(product)) {
          const actual = `the product ${product} for ${JSON.stringify(payload)} as ${nameOf(slot)}`;
          return fail("an answer without the product of the numbers sent", actual, filled.exchange, plain.exchange);
        }
        if (filled.reached) reached += 1;
      }
    }
    if (sent === 0) return skipped("no tool that takes free text answers a plain call");
    if (reached === 0) return unreached(server, "security-command-injection", slots, sent);
    return pass(`no product in the answers to ${sent} payloads (${slots.map(nameOf).join(", ")})`);
  },
});

// --- internal ---

const COMMAND_WORDS = ["command", "cmd", "script", "shell", "code", "bash", "expression"];

/** Whether running what it is given is what the tool is for. */
function runsCommands(argument: StringArgument, { name, description }: Tool): boolean {
  const words = [...wordsOf(argument.name), ...wordsOf(name)];
  if (words.some((word) => COMMAND_WORDS.includes(word))) return true;
  return /\b(?:shell|bash|powershell|terminal|(?:runs?|execut(?:es?|ing)) (?:\w+ ){0,3}(?:commands?|scripts?|code|programs?))\b/i.test(
    `${description} ${argument.description ?? ""}`,
  );
}
