import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Received } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import type { Json } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";

/** What an answer to the control request that can't be read, or not as one, costs besides. */
const ON_CONTROL = [
  "lifecycle-ping",
  "lifecycle-init",
  "lifecycle-id-match",
  "lifecycle-meta-tolerance",
  "stdio-unicode",
  "stdio-unknown-method-recovers",
  "lifecycle-logging",
  "resources-subscribe",
  "lifecycle-discover",
  "schema-wire-valid",
];

export default defineCheck({
  id: "stdio-framing",
  title: "Each line of stdout is one JSON-RPC message",
  why: "Clients read stdout line by line. A banner, a log line or a message spread over lines makes them drop the server.",
  fix: "Write each message as one line of JSON with \\n at its end, flush it, and send everything else to stderr.",
  snippet: [
    'process.stdout.write(JSON.stringify(message) + "\\n"); // one line, nothing else ever',
    'console.error("starting up"); // all other output goes to stderr',
  ],
  effect: "own",
  uses: "line",
  needs: { opened },
  faults: [
    fault("prints a banner on stdout", (server) => server.print("start", "notes server version : 1.0\n")),
    fault("prints a log line on stdout with each call", (server) =>
      server.stdout((line) => (line.includes('"tools"') ? `[info] tools/list\n${line}` : line)),
    ),
    fault("logs in JSON on stdout", (server) =>
      server.print("start", '{"level":30,"time":1,"msg":"server started"}\n'),
    ),
    fault("prints a farewell on stdout when its input ends", (server) => server.print("end", "bye\n")),
    fault(
      "writes pretty-printed JSON",
      (server) =>
        server.stdout((line) => (line.includes('"tools"') ? `${JSON.stringify(JSON.parse(line), null, 2)}\n` : line)),
      { alsoFails: ["tools-list"] },
    ),
    fault(
      "leaves out the newline after the answer to the control request",
      (server) => server.stdout((line) => (isOfControl(line) ? line.trimEnd() : line)),
      {
        alsoFails: ON_CONTROL,
      },
    ),
    fault("writes Content-Length frames", (server) =>
      server.stdout((line) =>
        line.includes('"tools"') ? `Content-Length: ${line.trim().length}\r\n\r\n${line}` : line,
      ),
    ),
    fault(
      "wraps a lone answer in an array",
      (server) => server.stdout((line) => (isOfControl(line) ? `[${line.trimEnd()}]\n` : line)),
      {
        alsoFails: ["lifecycle-jsonrpc", ...ON_CONTROL],
      },
    ),
    fault("prints a tip of a dependency on stdout", (server) =>
      server.print("start", "[dotenv@17.2.3] injecting env (2) from .env\n"),
    ),
    fault("exits on a line that ends in CRLF", (server) =>
      server.stdin((line, die) => {
        if (line.endsWith("\r")) die();
        return line;
      }),
    ),
    fault("takes only the first of many messages in one read", (server) =>
      server.input((bytes) =>
        bytes.filter((byte) => byte === 10).length < 5 ? bytes : bytes.subarray(0, bytes.indexOf(10) + 1),
      ),
    ),
    fault(
      "forgets the part of a line that a read ends with",
      // Messages that are longer than a read are spared.
      (server) =>
        server.input((bytes) => (bytes.byteLength > 8192 ? bytes : bytes.subarray(0, bytes.lastIndexOf(10) + 1))),
      // What is left of a line is none of a message.
      { alsoFails: ["lifecycle-jsonrpc", "stdio-unicode", "schema-wire-valid", "security-oversized-input"] },
    ),
    fault(
      "cuts its lines at 64 KiB",
      (server) => {
        server.put("tools/list", ["tools", 0, "description"], "long ".repeat(20_000));
        server.stdout((line) => line.slice(0, 65_536));
      },
      {
        // What follows on such a line is lost.
        alsoFails: [
          "tools-list",
          "lifecycle-capability-handlers-match",
          "lifecycle-meta-required",
          "lifecycle-meta-protocol-version-required",
        ],
      },
    ),
  ],
  async run(_, server) {
    // Ids are numbers: a server that can't give a text back is judged for that elsewhere.
    const asking = (): Asking => {
      const message = server.compose();
      return { id: message["id"] ?? null, line: `${JSON.stringify(message)}\n` };
    };
    const burst = [asking(), asking(), asking(), asking()];
    const last = asking();
    const lines = [...burst, last].map(({ line }) => line).join("");
    const together = await server.attributed(await server.line([lines], { id: last.id }));
    const before = asking();
    const split = asking();
    const half = Math.floor(split.line.length / 2);
    // Two writes at once arrive in one read. The first half comes with a whole message, whose answer shows that it
    // was read; a server that answers only where a read ends with a line has its rest after a while.
    await server.line([before.line + split.line.slice(0, half)], { id: before.id, timeout: 1000 });
    const apart = await server.attributed(await server.line([split.line.slice(half)], { id: split.id }));
    if (apart.reply === undefined) return fail("one answer to a message written in two parts", "none", apart);
    // The fence: whatever order it serves in, by now the burst has been read.
    await server.control();
    const answered = new Set(server.heard().map(({ message }) => message?.id));
    const missing = burst.filter(({ id }) => !answered.has(id));
    if (missing.length > 0) {
      return fail("an answer to each of 5 requests in one write", count(5 - missing.length, "answer"), together);
    }
    const crlf = asking();
    const returned = await server.line([crlf.line.replace("\n", "\r\n")], { id: crlf.id });
    if (returned.end === "closed")
      return fail("a line that ends in CRLF survived", `the process ${returned.cause}`, returned);
    const note = returned.reply === undefined ? "a line that ends in CRLF stayed unanswered" : undefined;
    return pass("5 requests in one write and one in two writes answered, a line each", note, together, apart);
  },
  review(transcript, { opened }) {
    const lines = transcript.flatMap((exchange) => exchange.received.map((line) => ({ exchange, line })));
    // Section basic#batching of 2025-03-26: senders may batch.
    const isBatch = ({ json }: Received) => opened.negotiated === "2025-03-26" && Array.isArray(json);
    const bad = lines.find(({ line }) => (line.problem !== undefined || isForeign(line)) && !isBatch(line));
    if (bad === undefined) return pass(`${count(lines.length, "line")} of stdout, each one JSON object`);
    return fail("nothing on stdout but lines of one JSON-RPC object", sight(bad.line), bad.exchange);
  },
});

// --- internal ---

/** A control request as a line, and the id that it has. */
interface Asking {
  readonly id: Json;
  readonly line: string;
}

/** Whether an object has nothing of a message, such as the line of a logger that writes JSON. */
const isForeign = ({ message }: Received): boolean =>
  message !== undefined && !["jsonrpc", "id", "method", "result", "error"].some((name) => Object.hasOwn(message, name));

const isOfControl = (line: string): boolean => line.includes('"result":{}') || line.includes('"supportedVersions"');

function sight({ text, problem }: Received): string {
  const shown = JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
  switch (problem) {
    case "not-an-object":
      return `${text.startsWith("[") ? "an array" : "JSON that is no object"}: ${shown}`;
    case "unterminated":
      return `a last line without a newline: ${shown}`;
    case "invalid-utf8":
      return `a line that is no UTF-8: ${shown}`;
    case "too-long":
      return "a line that is too long to be kept";
    case undefined:
      return `a JSON object that is no message: ${shown}`;
    default:
      return /^content-length:/i.test(text) ? `a Content-Length header: ${shown}` : `a line that is no JSON: ${shown}`;
  }
}
