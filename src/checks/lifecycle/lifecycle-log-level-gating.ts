import { walk } from "../../facts/lists.ts";
import { capabilities } from "../../facts/opening.ts";
import { provoked } from "../../facts/provoked.ts";
import { isReadOnly, safest } from "../../facts/tools.ts";
import type { Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange, Received, Transcript } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { sampleArguments } from "../../schema/sample.ts";
import { count } from "../../text/count.ts";
import { own } from "./_stamp.ts";

const LOG = "notifications/message";
const CALLS = 3;

export default defineCheck({
  id: "lifecycle-log-level-gating",
  title: "No log message is sent for a request without logLevel",
  why: "A client that didn't ask for log messages has no place for them; over HTTP they also make a stream of what was to be one answer.",
  fix: "Send notifications/message only while you serve a request whose params._meta has io.modelcontextprotocol/logLevel; write all other logs to stderr.",
  snippet: [
    'const level = params._meta["io.modelcontextprotocol/logLevel"];',
    'if (level !== undefined) notify("notifications/message", { level: "info", data: "read 3 files" });',
    'else console.error("read 3 files");',
  ],
  effect: "shared",
  needs: { capabilities, provoked },
  faults: [
    fault("logs each call of a tool", (server) => server.before("tools/call", log)),
    fault("logs every request that it serves", (server) =>
      server.reply((reply, serving) => {
        if (reply.result !== undefined) log(serving);
        return reply;
      }),
    ),
    fault("logs failed calls to clients that want no logs", (server) =>
      server.reply((reply, serving) => {
        if (serving.method === "tools/call" && rpcError(reply)?.code === -32602) log(serving);
        return reply;
      }),
    ),
    fault("logs a tool's call once it has answered", (server) => server.after("tools/call", log), { on: "stdio" }),
  ],
  /** Only provokes: whatever was logged in the whole run is judged at its end. */
  async run({ capabilities }, server) {
    if (capabilities["tools"] === undefined) return skipped("there is no tool to call");
    const { pages } = await walk(server, "tools/list", "tools");
    const items = pages.flatMap((page): readonly unknown[] => (Array.isArray(page.items) ? page.items : []));
    const usable = safest(items);
    const reading = usable.filter(isReadOnly);
    for (const tool of reading.length > 0 ? reading.slice(0, CALLS) : usable.slice(0, 1)) {
      const { args } = sampleArguments(tool.inputSchema);
      const exchange = await server.send("tools/call", { name: tool.name, arguments: args });
      if (exchange.end !== "reply" && exchange.end !== "complete") break;
    }
    return skipped("judged at the end of the run");
  },
  review(transcript) {
    const read = transcript.filter((exchange) => !isLegacy(exchange, transcript));
    const messages = read.flatMap(({ received }) => received).length;
    for (const exchange of read) {
      const logged = exchange.received.find(
        (each) => each.message?.method === LOG && !isWanted(exchange, each, transcript),
      );
      if (logged === undefined) continue;
      const asked = exchange.request?.method;
      const during = typeof asked === "string" ? `for ${asked.slice(0, 60)}` : "with no logLevel asked for";
      return fail("no log message for a request without logLevel", `${LOG} ${during}`, exchange);
    }
    return pass(`no log message unasked, ${count(messages, "message")} read`);
  },
});

// --- internal ---

const log = ({ message, notify }: Serving): void =>
  message.id === undefined ? undefined : notify(LOG, { level: "info", logger: "reference", data: "served" });

const level = ({ request }: Exchange): unknown => at(request?.params, "_meta", own("logLevel"));

/** Whether it came for a request that has a logLevel; on stdout, while any such request was under way. */
function isWanted(exchange: Exchange, { at: when }: Received, transcript: Transcript): boolean {
  if (exchange.end !== "unsolicited") return level(exchange) !== undefined;
  return transcript.some((other) => {
    if (other.session !== exchange.session || other.n > exchange.n || level(other) === undefined) return false;
    const answered = other.received.find(({ message }) => message !== undefined && message === other.reply)?.at;
    return answered === undefined || answered >= when;
  });
}

/** Whether it belongs to a conversation of an older revision, whose rules for logs are others. */
function isLegacy(exchange: Exchange, transcript: Transcript): boolean {
  const opens = ({ request }: Exchange) =>
    request?.method === "initialize" && at(request.params, "_meta") === undefined;
  if (exchange.sent.http !== undefined) return opens(exchange);
  return transcript.some((other) => other.session === exchange.session && opens(other));
}
