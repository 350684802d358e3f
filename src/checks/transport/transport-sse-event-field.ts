import { opening } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Received } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { type Complaint, each, skipped } from "../../model/outcome.ts";

export default defineCheck({
  id: "transport-sse-event-field",
  title: "Events of an answer have no name but message",
  why: "An EventSource hands events of other names to nobody, so the message in them is lost without a word.",
  fix: "Write SSE answers without an event field, or with event: message, and the message as one JSON text in data.",
  snippet: ["<- event: message", '   data: {"jsonrpc":"2.0","id":1,"result":{}}'],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    fault("names its events after the method", named("tools/call")),
    fault("names its events response", named("response")),
    fault("names its events Message", named("Message")),
    fault("writes a greeting that is no JSON on each answer's stream", (server) =>
      server.before("tools/call", ({ send }) => send(undefined)),
    ),
  ],
  async run(_, server) {
    await server.attributed(await server.control());
    // An answer that a server which streams at all is likely to stream.
    await server.send("tools/call", { name: server.unique() });
    return skipped("no answer came as an event stream");
  },
  review(transcript) {
    const events = transcript.flatMap((exchange) =>
      exchange.sent.http?.method !== "POST"
        ? []
        : exchange.received.flatMap((received) => (received.from === "sse" ? [{ exchange, received }] : [])),
    );
    const first = events.find(({ received }) => complaint(received) !== undefined) ?? events[0];
    return each("events of answers", events, ({ received }) => complaint(received), [first?.exchange]);
  },
});

// --- internal ---

function complaint({ event, message, json, text }: Received): Complaint {
  const name = event?.name ?? "";
  const dispatched = name === "" || name === "message";
  if (!dispatched && message?.jsonrpc !== undefined)
    return ["an event named message, or none", `event ${JSON.stringify(name)}`];
  if (!dispatched || message !== undefined || json !== undefined) return undefined;
  return ["an event whose data is JSON", JSON.stringify(text.slice(0, 80))];
}

function named(name: string): (server: Bendable) => void {
  return (server) => server.sse((block) => block.replace(/^event: message$/m, `event: ${name}`));
}
