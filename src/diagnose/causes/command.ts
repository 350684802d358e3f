import type { Cause } from "../cause.ts";
import type { StdioEvidence } from "../evidence.ts";

const quoted = ({ words }: StdioEvidence): string => JSON.stringify(words[0] ?? "");
const trouble = ({ runs }: StdioEvidence): string => runs[0]?.exchange.cause ?? "";

/** The command can't be started at all. */
export const commandCauses: readonly Cause<StdioEvidence>[] = [
  {
    id: "command-line-as-one-word",
    at: ["command", "start"],
    mend: "Leave the quotes out, so that the command and its arguments are words of their own.",
    recognise: (e) =>
      e.resolved.problem === "not found" && /\S\s+\S/.test(e.words[0] ?? "")
        ? `The command ${quoted(e)} is a whole command line in one word, and there is no program of that name`
        : undefined,
  },
  {
    id: "command-not-found",
    at: ["command", "start"],
    mend: "Install it, or give its whole path.",
    recognise(e) {
      if (e.resolved.problem !== "not found") return undefined;
      const byPath = /[/\\]/.test(e.words[0] ?? "");
      if (byPath) {
        return {
          headline: `The command ${quoted(e)} does not exist in ${e.cwd}`,
          mend: "Check the path; give --cwd if it is meant to be seen from another folder.",
        };
      }
      return {
        headline: `The command ${quoted(e)} is not on the PATH that the server's process gets`,
        mend: `${INSTALL[e.words[0] ?? ""] ?? "Install it, or give its whole path."} (Clients with a window often have a shorter PATH than your shell: a whole path works in both.)`,
      };
    },
  },
  {
    id: "command-is-a-folder",
    at: ["command", "start"],
    mend: "Give the program inside of it, or the runtime and the script: node folder/server.js.",
    recognise: (e) =>
      e.resolved.problem === "a folder" ? `The command ${quoted(e)} is a folder (${e.resolved.path})` : undefined,
  },
  {
    id: "command-not-executable",
    at: ["command", "start"],
    mend: "Make it executable (chmod +x), or start it by its runtime: node server.js, python server.py.",
    recognise: (e) =>
      e.resolved.problem === "not executable"
        ? `The command ${quoted(e)} is there and is not executable (${e.resolved.path})`
        : undefined,
  },
  {
    id: "shebang-with-cr",
    at: ["start", "first byte"],
    mend: "Save the script with LF line ends (dos2unix does it; in git, set eol=lf for it).",
    recognise: (e) =>
      e.resolved.crlf === true && (/ENOENT|does not exist|not found/.test(trouble(e)) || failedToRun(e))
        ? `The script ${quoted(e)} ends its #! line in CR LF, so the system looks for an interpreter whose name ends in a CR`
        : undefined,
  },
  {
    id: "interpreter-not-found",
    at: ["start", "first byte"],
    mend: "Install the interpreter that the first line names, or name another one.",
    recognise: (e) =>
      e.resolved.shebang !== undefined && e.resolved.path !== undefined && /does not exist|not found/.test(trouble(e))
        ? `The interpreter of the script ${quoted(e)} is missing: its first line is ${JSON.stringify(e.resolved.shebang)}`
        : undefined,
  },
  {
    id: "command-in-no-format",
    at: ["start"],
    mend: "Give a script a first line such as #!/usr/bin/env node, or start it by its runtime. For a program: take the build for this system and processor.",
    recognise: (e) =>
      /ENOEXEC|no format that can be run|Exec format/i.test(trouble(e))
        ? `The command ${quoted(e)} is in no format that this system can run`
        : undefined,
  },
  {
    id: "command-does-not-start",
    at: ["command", "start"],
    mend: "Start the same words in a terminal to see what the system says.",
    recognise: (e) => `The command ${quoted(e)} can't be started: ${trouble(e)}`,
  },
];

// --- internal ---

const failedToRun = ({ runs }: StdioEvidence): boolean => /code 12[67]\b/.test(runs[0]?.ended ?? "");

const INSTALL: Readonly<Record<string, string>> = {
  npx: "npx comes with Node.js: install Node.",
  node: "Install Node.js.",
  uvx: "uvx comes with uv: install uv.",
  uv: "Install uv.",
  python: "Many systems have python3 and no python: try python3.",
  docker: "Install Docker, or start it where it is.",
  bunx: "bunx comes with Bun: install Bun.",
  bun: "Install Bun.",
};
