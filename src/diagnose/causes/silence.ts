import type { Cause } from "../cause.ts";
import type { Run, StdioEvidence } from "../evidence.ts";
import { isFramed } from "../stdio.ts";
import { isMessage } from "../talk.ts";

const AT = ["first byte", "first message"] as const;

/** The process lives and says nothing that is a message. */
export const silenceCauses: readonly Cause<StdioEvidence>[] = [
  {
    id: "waits-for-content-length",
    at: AT,
    mend: "Read one message a line: MCP on stdio has no headers (Content-Length is the framing of LSP).",
    recognise: (e) =>
      silent(e) !== undefined && e.runs.some((run) => run.how === "framed" && isFramed(run.stdout))
        ? "The server waits for Content-Length headers, as LSP has them, and never answers a message on a line of its own"
        : undefined,
  },
  {
    id: "answers-at-end-of-input",
    at: AT,
    mend: "Flush stdout after each message (Python: print(…, flush=True) or python -u; C: fflush), and read stdin line by line instead of to its end.",
    recognise: (e) =>
      silent(e)?.late.some(isMessage) === true
        ? "The server answers only after stdin is closed: its output waits in a buffer, or it reads all of its input first"
        : undefined,
  },
  {
    id: "asks-on-the-terminal",
    at: AT,
    mend: "Answer it beforehand: npx -y, pip --no-input, docker run -i without -t.",
    recognise(e) {
      const asked =
        /(?:Ok to proceed\?|\(y\/n\)|\[y\/N\]|\[Y\/n\]|password:\s*$|Need to install the following packages)[^\n]*/im.exec(
          said(silent(e)),
        );
      return asked === null
        ? undefined
        : `The command waits for an answer on the terminal: ${JSON.stringify(asked[0].trim().slice(0, 80))}`;
    },
  },
  {
    id: "serves-http",
    at: AT,
    mend: "Give that URL as the target (with its path, often /mcp), or start the server in its stdio mode.",
    recognise(e) {
      const words = said(silent(e));
      // The address of a page to read is no address that it listens at.
      const found = LOCAL.exec(words) ?? SERVING.exec(words);
      if (found === null) return undefined;
      const port = found[2];
      return {
        headline: `The command starts a server for HTTP (${port === undefined ? found[1] : `port ${port}`}) and says nothing on stdio`,
      };
    },
  },
  {
    id: "silent-without-dependency",
    at: AT,
    mend: "Start what it needs (a database, an API), or correct its address.",
    recognise(e) {
      const found = UNREACHABLE.exec(said(silent(e)));
      return found === null
        ? undefined
        : `The server does not answer, and says that something it needs can't be reached: ${found[1] ?? found[2]}`;
    },
  },
  {
    id: "still-installing",
    at: AT,
    mend: "Install it once beforehand, or wait longer: --startup-timeout 180000. Clients give up after 10 to 60 seconds.",
    recognise(e) {
      return /\b(?:downloading|installing|resolving|unpacking|building|compiling|pulling|fetching|resolved \d+ packages|npm http fetch)\b/i.test(
        said(silent(e)),
      )
        ? "The command was still downloading or building when the time was up"
        : undefined;
    },
  },
  {
    id: "silent",
    at: AT,
    mend: "Look whether the program reads stdin and writes stdout at all: is it the right command, does it need an argument (stdio, --stdio), does it wait for something else? --startup-timeout gives it longer.",
    recognise(e) {
      const run = silent(e);
      if (run === undefined) return undefined;
      const words = run.stderr.trim().split("\n").at(-1)?.trim() ?? "";
      return `The server runs and does not answer within ${Math.round(run.exchange.ms / 100) / 10} s${words === "" ? ", without a word on stderr" : `; its last words on stderr: ${JSON.stringify(words.slice(0, 120))}`}`;
    },
  },
];

// --- internal ---

const LOCAL = /\b(https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[)[\w.[\]:-]*(?:\/[\w./-]*)?)/i;
const SERVING =
  /\b(?:listening|running|started|serving|available|uvicorn)\b[^\n]{0,60}?(?:(https?:\/\/[\w.[\]:-]+(?:\/[\w./-]*)?)|\bport\s*:?\s*(\d{2,5})\b)/i;
const UNREACHABLE =
  /ECONNREFUSED[^\n]{0,20}?((?:\d{1,3}\.){3}\d{1,3}:\d+|\[?::1\]?:\d+)|getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/i;

/** The first run, if its process lived on and said no message while it was waited for. */
function silent({ runs }: StdioEvidence): Run | undefined {
  const [first] = runs;
  return first !== undefined &&
    first.ended === undefined &&
    first.exchange.end === "timeout" &&
    runs.every((run) => !run.heard || run.how === "framed")
    ? first
    : undefined;
}

/** What it wrote on both streams; nothing where there is no such run. */
const said = (run: Run | undefined): string =>
  run === undefined ? "" : `${run.stderr}\n${Buffer.from(run.stdout).toString("utf8").slice(0, 16_384)}`;
