import { type Echo, echo, textsIn } from "../../facts/echo.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isResponse, type Message, resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import type { RawLine, Server } from "../../model/session.ts";
import { sight } from "../_sight.ts";

const TEXT = "世界🎉é\u2028";
const foreign = /[^\u0000-\u007f]/;
/** What else such a server breaks: other text that isn't ASCII, and the form of its lines. */
const ALSO = { alsoFails: ["stdio-framing", "lifecycle-id-match", "lifecycle-string-id"] };
const IDS = { alsoFails: ["lifecycle-id-match", "lifecycle-string-id"] };

export default defineCheck({
  id: "stdio-unicode",
  title: "Text that is not ASCII crosses stdio unharmed",
  why: "Names, paths and questions are written in every script; a pipe in another encoding garbles them or ends the process.",
  fix: "Read and write both pipes as UTF-8 whatever the locale says, decode only whole lines, and split lines at \\n alone, not at U+2028.",
  snippet: [
    "import sys",
    'sys.stdin.reconfigure(encoding="utf-8", newline="\\n")',
    'sys.stdout.reconfigure(encoding="utf-8", newline="\\n")',
  ],
  effect: "own",
  uses: "line",
  needs: { echo },
  faults: [
    fault("writes stdout in Latin-1", (server) => server.stdout((line) => Buffer.from(line, "latin1")), ALSO),
    fault(
      "writes question marks for what isn't ASCII",
      (server) => server.stdout((line) => line.replace(/[^\u0000-\u007f]/gu, "?")),
      IDS,
    ),
    fault(
      "reads stdin in a Windows code page",
      (server) => server.stdin((line) => Buffer.from(line, "utf8").toString("latin1")),
      IDS,
    ),
    fault(
      "fails each request with a letter that isn't ASCII",
      (server) =>
        server.reply((reply, { message }) =>
          foreign.test(JSON.stringify(message))
            ? { jsonrpc: "2.0", id: reply.id, error: { code: -32000, message: "charmap codec can't decode" } }
            : reply,
        ),
      IDS,
    ),
    fault("loses what is outside of the basic plane", (server) =>
      server.stdin((line) => line.replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd")),
    ),
    fault("drops what isn't ASCII", (server) => server.stdin((line) => line.replace(/[^\u0000-\u007f]/gu, "")), IDS),
    fault("takes U+2028 for the end of a line", (server) =>
      server.stdin((line) => (line.includes("\u2028") ? undefined : line)),
    ),
    fault(
      "exits on a line that isn't ASCII",
      (server) =>
        server.stdin((line, die) => {
          if (foreign.test(line)) die();
          return line;
        }),
      IDS,
    ),
    fault(
      "exits once it has answered a line that isn't ASCII",
      (server) => server.after("*", ({ message, die }) => (foreign.test(JSON.stringify(message)) ? die() : undefined)),
      IDS,
    ),
    fault(
      "garbles ids that aren't ASCII",
      (server) =>
        server.reply((reply) =>
          typeof reply.id === "string" ? { ...reply, id: Buffer.from(reply.id, "utf8").toString("latin1") } : reply,
        ),
      IDS,
    ),
  ],
  async run({ echo: { echo } }, server) {
    const given = echo === undefined ? skipped("nothing gives back a text") : await byEcho(server, echo);
    if (given.status === "fail") return given;
    const named = await byId(server);
    const outcome = given.status === "skipped" ? named : worst(given, named);
    const last = await server.attributed(await server.control());
    return last.reply === undefined ? fail("an answer after such text", sight(last), last) : outcome;
  },
});

// --- internal ---

/** The text as an argument of what echoes it. Passes only what came back whole; skipped where nothing comparable did. */
async function byEcho(server: Server, echo: Echo): Promise<Outcome> {
  const fence = server.unique();
  const { method, params } = echo.ask(`${fence}${TEXT}${fence}`);
  const exchange = await server.attributed(await server.send(method, params), { codes: "any" });
  const error = rpcError(exchange.reply);
  if (error !== undefined) return fail(`${JSON.stringify(TEXT)} from ${echo.name}`, `error ${error.code}`, exchange);
  const told = textsIn(resultOf(exchange.reply)).flatMap((text) => {
    const from = text.indexOf(fence);
    // The text may come back several times: what lies between the first two fences is one of them.
    const to = text.indexOf(fence, from + fence.length);
    return from >= 0 && to > from ? [text.slice(from + fence.length, to)] : [];
  });
  if (told.some((text) => text === TEXT || unescaped(text) === TEXT)) {
    return pass(`${echo.name} gives back ${JSON.stringify(TEXT)}`, undefined, exchange);
  }
  const harmed = told.find((text) => foreign.test(text) || text.includes("?") || !/[\\%&=]/.test(text));
  if (harmed === undefined) return skipped("the text did not come back in a form that can be compared");
  return fail(`${JSON.stringify(TEXT)} from ${echo.name}`, JSON.stringify(harmed.slice(0, 80)), exchange);
}

/** The text in a request's id, written in two pieces that part within a character. */
async function byId(server: Server & RawLine): Promise<Outcome> {
  const control = await server.control();
  const prefix = server.unique();
  const id = `${prefix}${TEXT}`;
  const bytes = Buffer.from(`${JSON.stringify({ ...control.request, id })}\n`);
  const cut = bytes.indexOf(Buffer.from("🎉")) + 2;
  const exchange = await server.line([bytes.subarray(0, cut), bytes.subarray(cut)], { id });
  const other = server
    .heard()
    .find(({ message }) => message !== undefined && isResponse(message) && String(message.id).startsWith(prefix));
  if (exchange.reply === undefined && other !== undefined) {
    return fail(
      `the id ${JSON.stringify(TEXT)}`,
      JSON.stringify(String(other.message?.id).slice(prefix.length)),
      exchange,
    );
  }
  if (exchange.end === "timeout" && !(await answersTexts(server, control.request))) {
    return skipped("no id that is a text is answered, be it ASCII only");
  }
  await server.attributed(exchange);
  const error = rpcError(exchange.reply);
  if (error !== undefined && rpcError(control.reply) === undefined) {
    return fail("the answer that an id of ASCII gets", `error ${error.code}`, exchange, control);
  }
  return pass(`the id ${JSON.stringify(TEXT)} comes back`, undefined, exchange);
}

/** Whether a request is answered whose id is a text of plain ASCII. */
async function answersTexts(server: Server & RawLine, request: Message | undefined): Promise<boolean> {
  const id = server.unique();
  const { reply } = await server.line([`${JSON.stringify({ ...request, id })}\n`], { id });
  return reply !== undefined;
}

/** With the escapes of a JSON text undone: a tool may give back its arguments as JSON. */
const unescaped = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
