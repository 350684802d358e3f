import type { Cause } from "../cause.ts";
import type { Run, StdioEvidence } from "../evidence.ts";
import { bestRun } from "../progress.ts";
import { SAID, type Said } from "./said.ts";

const AT = ["first byte", "first message"] as const;

/** The process ended before any message: first by what it said, then by how it ended. */
export const exitCauses: readonly Cause<StdioEvidence>[] = [
  ...SAID.map(
    (said): Cause<StdioEvidence> => ({
      id: said.id,
      at: AT,
      mend: said.mend,
      recognise(e) {
        const run = dead(e);
        const found = run === undefined ? null : heardFrom(run, said);
        return found === null ? undefined : `The server ${cleaned(said.headline(found))}`;
      },
    }),
  ),
  {
    id: "killed",
    at: AT,
    mend: "SIGKILL comes from outside: the system, when memory runs out, or a guard. SIGSEGV, SIGILL and SIGBUS are crashes of the program itself, or of a build for another processor.",
    recognise(e) {
      const signal = /killed by (\w+)/.exec(dead(e)?.ended ?? "")?.[1];
      return signal === undefined ? undefined : `The server's process is killed by ${signal} before it says anything`;
    },
  },
  {
    id: "exits-not-found",
    at: AT,
    mend: "127 is what a shell says when a command in a script or shim is not found, 126 when it can't be run: look at what the command starts in turn.",
    recognise(e) {
      const code = /code (12[67])\b/.exec(dead(e)?.ended ?? "")?.[1];
      return code === undefined
        ? undefined
        : `The server's process exits with code ${code}: what it starts in turn is ${code === "127" ? "not found" : "not executable"}`;
    },
  },
  {
    id: "exits-with-zero",
    at: AT,
    mend: "Keep the process alive for as long as stdin is open: read it in a loop, await the transport, don't return from main. A program that serves HTTP in the background or forks away also looks like this.",
    recognise: (e) =>
      /code 0\b/.test(dead(e)?.ended ?? "")
        ? `The server's process ends at once with code 0 and ${(dead(e)?.bytes ?? 0) > 0 ? "no answer" : "without a word"}: it does not stay to serve`
        : undefined,
  },
  {
    id: "exits",
    at: AT,
    mend: "Read its stderr below. If there is none, start the same words in a terminal.",
    recognise(e) {
      const run = dead(e);
      if (run === undefined) return undefined;
      const line = lastLine(run.stderr);
      return `The server's process ${run.ended} before it answers${line === "" ? ", without a word on stderr" : `: ${line}`}`;
    },
  },
];

// --- internal ---

/** The run, if it ended by itself without a message. */
function dead(e: StdioEvidence): Run | undefined {
  const run = bestRun(e);
  return run?.ended !== undefined && !run.heard ? run : undefined;
}

const heardFrom = (run: Run, { pattern }: Said): RegExpExecArray | null =>
  pattern.exec(run.stderr) ?? pattern.exec(Buffer.from(run.stdout).toString("utf8").slice(0, 16_384));

const cleaned = (text: string): string => text.replace(/\s+/g, " ").trim();

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim().slice(0, 200) ?? "";
