import { negotiated } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, mediaType, type Received } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { isResponse, type Message } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { page } from "../_bends.ts";
import { sight } from "../_sight.ts";
import { inTheWay, isGet, occupied } from "./_stream.ts";

/** A bend of the first message on each GET stream. */
const onNews = (how: (block: string) => string) => (server: Parameters<Parameters<typeof fault>[1]>[0]) =>
  server.sse((block) => (block.includes("tools/list_changed") ? how(block) : block));

export default defineCheck({
  id: "transport-get-stream",
  title: "The stream of a GET is well-formed and carries JSON-RPC",
  why: "News of the server, and its questions, reach the client on this stream only; what can't be parsed there is lost.",
  fix: "Write each message as an SSE event (data: and one line of JSON, then a blank line), and keep-alives as comments (a line that begins with a colon).",
  snippet: [
    'response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();',
    'response.write("data: " + JSON.stringify(message) + "\\n\\n"); // a message',
    'response.write(": still here\\n\\n"); // a keep-alive',
  ],
  effect: "own",
  uses: "http",
  needs: { negotiated },
  faults: [
    fault(
      "writes bare JSON on its GET stream",
      onNews((block) => block.slice(block.indexOf("data: ") + 6)),
    ),
    fault(
      "writes text that is no JSON on its GET stream",
      onNews(() => "data: hello"),
    ),
    fault(
      "writes a JSON text on its GET stream",
      onNews(() => 'data: "hello"'),
    ),
    fault(
      "writes events without jsonrpc on its GET stream",
      onNews(() => 'data: {"type":"connected"}'),
    ),
    fault(
      "writes half of a message on its GET stream",
      onNews((block) => block.slice(0, -10)),
    ),
    fault(
      "refuses the GET stream of a session with 404",
      (server) =>
        server.gate(({ method, headers }) =>
          method === "GET" && headers["mcp-session-id"] !== undefined ? page(404, "Cannot GET /mcp") : undefined,
        ),
      { alsoFails: ["transport-get"] },
    ),
    fault(
      "sends an array on its GET stream",
      onNews((block) => block.replace(/data: (.*)$/, "data: [$1]")),
    ),
  ],
  async run({ negotiated }, server) {
    await server.attributed(await server.control());
    const stream = server.stream({ method: "GET" });
    const head = await stream.head;
    const open = head?.status === 200 && mediaType({ ...NOTHING, headers: head.headers }) === "text/event-stream";
    // What comes on it later can't be fenced.
    if (open) await new Promise((resolve) => setTimeout(resolve, server.quiet));
    const exchange = await server.attributed(await stream.close());
    return exchange.http?.status === 409 ? occupied : judged(exchange, negotiated);
  },
  review(transcript, { negotiated }) {
    const met = inTheWay(transcript, "transport-get-stream");
    const streams = transcript.filter((each) => isGet(each) && mediaType(each.http) === "text/event-stream");
    const [first, ...rest] = met === undefined ? streams : [met, ...streams];
    if (first === undefined) return skipped("no GET stream was opened");
    return worst(judged(first, negotiated), ...rest.map((each) => judged(each, negotiated)));
  },
});

// --- internal ---

const NOTHING = { status: 200, body: "", bytes: 0, truncated: false, ended: false, badLines: [], events: [] };

function judged(exchange: Exchange, negotiated: string): Outcome {
  const { http, received } = exchange;
  if (http?.status === 405) return pass("HTTP 405: it offers no stream", undefined, exchange);
  if (http?.status !== 200 || mediaType(http) !== "text/event-stream") {
    const actual = `HTTP ${http?.status} with ${mediaType(http) || "no Content-Type"}`;
    return fail(
      "HTTP 200 with text/event-stream, or HTTP 405",
      http === undefined ? sight(exchange) : actual,
      exchange,
    );
  }
  const line = http.badLines[0];
  if (line !== undefined) return fail("lines of the SSE grammar", shown(line), exchange);
  const bad = received.find((each) => !isMessage(each, negotiated));
  if (bad !== undefined) return fail("JSON-RPC messages as the data of events", shown(bad.text), exchange);
  return pass(
    `a stream with ${count(received.length, "message")}, ${http.ended ? "ended by the server" : "still open"}`,
    undefined,
    exchange,
  );
}

/** Whether an event is one that a client can take; one of another name is not dispatched as a message. */
function isMessage({ message, json, event }: Received, negotiated: string): boolean {
  if (message === undefined && event?.name !== undefined && event.name !== "" && event.name !== "message") return true;
  // Section basic#batching of 2025-03-26: senders may batch.
  if (Array.isArray(json)) return negotiated === "2025-03-26";
  return message !== undefined && message.jsonrpc === "2.0" && (isMethod(message) || isResponse(message));
}

const isMethod = ({ method }: Message): boolean => typeof method === "string";
const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
