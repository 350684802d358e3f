import { at, isObject } from "../../model/json.ts";
import type { Cause, Recognised } from "../cause.ts";
import type { Run, StdioEvidence } from "../evidence.ts";
import { bestRun, strayOf } from "../progress.ts";
import type { Stray } from "../stray.ts";

const AT = ["first byte", "first message", "negotiation"] as const;
const STDERR = "Only JSON-RPC messages may stand on stdout (basic/transports#stdio): write everything else to stderr.";

/** What stands on stdout before the first message, by its bytes. Each is asked in this order. */
const CULPRITS: readonly {
  readonly id: string;
  readonly mend: string;
  is(stray: Stray, e: StdioEvidence): Recognised | string | undefined;
}[] = [
  {
    id: "stdout-utf-16",
    mend: "Write UTF-8 without a byte order mark: in PowerShell set [Console]::OutputEncoding, in .NET give new UTF8Encoding(false) to the stream.",
    is: ({ bytes }) => {
      const [a, b, c, d] = bytes;
      const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
      return marked || (a !== 0 && b === 0 && d === 0 && c !== undefined)
        ? "The server writes UTF-16 on stdout, and messages are UTF-8"
        : undefined;
    },
  },
  {
    id: "stdout-byte-order-mark",
    mend: "Write UTF-8 without a byte order mark (in .NET: new UTF8Encoding(false); in Python: encoding utf-8, not utf-8-sig).",
    is: ({ bytes }) =>
      bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
        ? "The server writes a byte order mark before its first message, and JSON parsers refuse it"
        : undefined,
  },
  {
    id: "stdout-content-length",
    mend: "Write each message as one line of JSON and a newline, without headers: that is the framing of MCP on stdio (Content-Length is that of LSP).",
    is: ({ text }) =>
      /^content-(?:length|type):/i.test(text)
        ? "The server writes Content-Length frames, as LSP does, in place of one message a line"
        : undefined,
  },
  {
    id: "stdout-dotenv",
    mend: "Give dotenv the option quiet: true (or set DOTENV_CONFIG_QUIET=true), or load the file without it (node --env-file). It prints only where a .env file is found, so it may be clean on your machine.",
    is: ({ text }) =>
      /\[dotenv(?:x)?@[\d.]+\]|injecting env \(\d+\)/.test(text)
        ? "A library (dotenv) prints a line on stdout when it finds a .env file, where only messages may stand"
        : undefined,
  },
  {
    id: "stdout-package-runner",
    mend: "Start the program itself, or silence the runner: npm run --silent, pnpm --silent, yarn --silent.",
    is: ({ text, bytes }) => {
      const start = Buffer.from(bytes).toString("utf8").trimStart();
      return /^> \S+@\S+|^> \S|^yarn run v|^\$ \S|^(?:npm|pnpm) (?:WARN|warn|notice)|^added \d+ packages/.test(start)
        ? `A package runner prints its own lines on stdout before the server starts: ${shown(text)}`
        : undefined;
    },
  },
  {
    id: "stdout-usage",
    mend: "Give the arguments that make it a server on stdio (serve, stdio, --stdio and the like).",
    is: ({ text }, e) =>
      /^[ \t]*usage\b|^[ \t]*(?:options|commands):/im.test(text) || /^[ \t]*usage:/im.test(whole(e))
        ? "The command prints how it is used, instead of serving"
        : undefined,
  },
  {
    id: "stdout-batch",
    mend: "Send each message as a line of its own: since 2025-06-18 there are no batches.",
    is: ({ text }) => {
      const json = parsed(text);
      return Array.isArray(json) && json.some((each) => at(each, "jsonrpc") !== undefined)
        ? "The server wraps its answers in a JSON array"
        : undefined;
    },
  },
  {
    id: "stdout-json-logger",
    mend: "Let the logger write to stderr (pino: pino.destination(2); winston: stderrLevels; bunyan: stream: process.stderr).",
    is: ({ text }) => {
      const json = parsed(text);
      if (!isObject(json)) return undefined;
      const logs =
        ["level", "msg", "message", "time", "timestamp", "severity"].filter((key) => key in json).length >= 2;
      return logs ? `A logger writes JSON lines on stdout, among the messages: ${shown(text)}` : undefined;
    },
  },
  {
    id: "stdout-no-jsonrpc",
    mend: 'Every message has "jsonrpc": "2.0".',
    is: ({ text }) =>
      isObject(parsed(text))
        ? `The server writes a JSON object without "jsonrpc" on stdout: ${shown(text)}`
        : undefined,
  },
  {
    id: "stdout-cut",
    mend: "Wait until stdout is drained before the process ends, and write what a short write has left over: pipes take 64 KiB at once.",
    is: ({ text, bytes }, e) =>
      text.startsWith('{"jsonrpc"') && (bestRun(e)?.bytes ?? 0) >= 65_536 && bytes.length > 0
        ? "A message on stdout is cut short: what is more than the pipe takes at once (64 KiB) is lost"
        : undefined,
  },
  {
    id: "stdout-pretty-json",
    mend: "Write each message on one line: JSON.stringify(message) without indentation, and newlines inside of strings as \\n.",
    is: ({ text }, e) => {
      return /^[ \t]*[{[]\s*$/.test(text) && /"jsonrpc"/.test(whole(e))
        ? "The server writes its messages over several lines, and a message is one line"
        : undefined;
    },
  },
  {
    id: "stdout-http",
    mend: "Give its URL as the target, or start it in its stdio mode.",
    is: ({ text }) => (/^HTTP\/1\.[01] \d{3}/.test(text) ? "The server answers in HTTP on stdout" : undefined),
  },
  {
    id: "stdout-colours",
    mend: `${STDERR} A terminal program (a spinner, a menu, coloured output) needs a mode without it.`,
    is: ({ bytes, text }) =>
      bytes.includes(0x1b)
        ? `The server writes terminal sequences (colours, a spinner) on stdout: ${shown(text)}`
        : undefined,
  },
  {
    id: "stdout-logger",
    mend: `${STDERR} Python: logging goes to stderr by default, print does not. Node: console.error. Java: System.err; Spring: no banner, a console appender on stderr.`,
    is: ({ text }) =>
      /^[ \t]*\[?\d{4}[-/]\d\d[-/]\d\d[T ]|^[ \t]*\[?(?:\d\d:){2}\d\d|\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|NOTICE)\b|^[ \t]*\[?(?:info|debug|warn(?:ing)?|error|trace)\]?[:\s]/.test(
        text,
      )
        ? `A logger writes on stdout, where only messages may stand: ${shown(text)}`
        : undefined,
  },
  {
    id: "stdout-banner",
    mend: `${STDERR} Node: console.error in place of console.log; Python: print(…, file=sys.stderr).`,
    is: ({ text }, e) =>
      bestRun(e)?.heard === true || !/"jsonrpc"/.test(text)
        ? `The server prints something on stdout, where only messages may stand: ${shown(text)}`
        : undefined,
  },
];

/** What is asked comes back, with an answer after it or without one. */
const ECHO: Cause<StdioEvidence> = {
  id: "echoes-its-input",
  at: [...AT, "lists"],
  mend: "Start it without a terminal (docker run -i without -t, ssh -T): that repeats what is typed. What prints its input to find errors belongs on stderr, and a command such as cat is no server.",
  recognise: ({ runs }) =>
    runs.some(isEchoed)
      ? "The command writes back on stdout what it is sent, and clients take that for requests"
      : undefined,
};

/** Something stands on stdout that is no message of the server's. */
export const stdoutCauses: readonly Cause<StdioEvidence>[] = [
  ECHO,
  ...CULPRITS.map(({ id, mend, is }) => ({
    id,
    at: AT,
    mend,
    recognise(e: StdioEvidence) {
      const stray = strayIn(e);
      return stray?.first === true ? is(stray, e) : undefined;
    },
  })),
];

/** The same after the first message: strict clients close the connection, others overlook it. */
export const laterStdoutCauses: readonly Cause<StdioEvidence>[] = [
  {
    id: "stdout-later",
    at: "passed",
    mend: STDERR,
    recognise(e) {
      const stray = strayIn(e);
      return stray === undefined || stray.first
        ? undefined
        : `Something that is no message stands on stdout after the first message: ${shown(stray.text)}`;
    },
  },
  {
    id: "stdout-crlf",
    at: "passed",
    mend: 'End each message with LF alone (Python on Windows: sys.stdout.reconfigure(newline="\\n"); .NET: writer.NewLine = "\\n").',
    recognise: (e) =>
      /"jsonrpc"[^\n]*\r\n/.test(whole(e).slice(0, SEARCHED))
        ? "The server ends its lines in CR LF: most clients overlook it, some don't"
        : undefined,
  },
];

// --- internal ---

/** Characters of stdout in which line ends are looked for. */
const SEARCHED = 16_384;

const isEchoed = ({ exchange, stdout }: Run): boolean => {
  const asked = exchange.sent.text.trim();
  return asked !== "" && Buffer.from(stdout).toString("utf8").includes(asked);
};

function strayIn(e: StdioEvidence): Stray | undefined {
  const run = bestRun(e);
  return run === undefined ? undefined : strayOf(run);
}

const whole = (e: StdioEvidence): string => Buffer.from(bestRun(e)?.stdout ?? []).toString("utf8");

const shown = (text: string): string => JSON.stringify(text.trim().slice(0, 80));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
