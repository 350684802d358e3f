import { at } from "../../model/json.ts";
import { isResponse, resultOf, rpcError } from "../../model/message.ts";
import type { Cause } from "../cause.ts";
import { type Evidence, OLDEST, type Run } from "../evidence.ts";
import { bestTalk, talksOf } from "../progress.ts";
import { responsesIn } from "./_responses.ts";

/** What works here and breaks other clients, as soon as they connect. A server that never spoke has other troubles. */
export const openingTroubles: readonly Cause<Evidence>[] = troubles().map((each) => ({
  ...each,
  recognise: (e) => (bestTalk(e)?.heard === true ? each.recognise(e) : undefined),
}));

/** What only some clients mind, though the server may do so. */
export const clientTroubles: readonly Cause<Evidence>[] = [
  {
    id: "templates-unknown",
    at: "passed",
    mend: "Answer resources/templates/list with an empty list. (It may be unknown where there are no templates: the clients are wrong there.)",
    recognise: (e) =>
      rpcError(bestTalk(e)?.templates?.reply)?.code === -32601
        ? "The server declares resources and does not know resources/templates/list: it need not, and some clients give the whole server up"
        : undefined,
  },
  {
    id: "oldest-refused",
    at: "passed",
    mend: "Answer with the version that was asked for if you support it; else this is as it should be, and the oldest clients can't be served.",
    recognise(e) {
      const asked = e.kind === "http" ? e.oldest : lastOf(e, "crlf")?.exchange;
      const version = at(resultOf(asked?.reply), "protocolVersion");
      return typeof version === "string" && version !== OLDEST
        ? `Asked for ${OLDEST}, the server answers with ${JSON.stringify(version.slice(0, 40))}: a client that knows nothing newer refuses it`
        : undefined;
    },
  },
];

// --- internal ---

function troubles(): readonly Cause<Evidence>[] {
  return [
    {
      id: "answers-notifications",
      at: "passed",
      mend: "Never answer a message without an id: it is a notification (JSON-RPC 2.0, section 4.1).",
      recognise(e) {
        const talk = bestTalk(e);
        const asked = talk?.opened.exchange.request?.id;
        const answer = talk?.stray
          .map(({ message }) => message)
          .find((message) => message !== undefined && isResponse(message));
        if (answer === undefined) return undefined;
        const how =
          answer.id === undefined
            ? "without an id"
            : answer.id === asked
              ? `with the id ${JSON.stringify(asked)}, which was that of the first request`
              : `with the id ${JSON.stringify(answer.id)}`;
        return `The server answers the notification notifications/initialized (${how}), and strict clients close the connection`;
      },
    },
    {
      id: "notification-body",
      at: "passed",
      mend: "Answer a notification with 202 Accepted and no body (basic/transports#sending-messages-to-the-server).",
      recognise(e) {
        const http = bestTalk(e)?.opened.initialized?.http;
        if (http === undefined || http.status === 202 || http.status === 204) return undefined;
        if (http.status >= 400)
          return `The server refuses notifications/initialized (HTTP ${http.status}), and some clients give up there`;
        const body = http.body.trim();
        return body === ""
          ? undefined
          : `The server answers notifications/initialized with HTTP ${http.status} and a body (${JSON.stringify(body.slice(0, 40))}), and strict clients give up there`;
      },
    },
    {
      id: "dies-of-discover",
      at: "passed",
      mend: "Answer a method that you don't know with error -32601, before initialize, too: newer clients ask server/discover first.",
      recognise(e) {
        const run = lastOf(e, "server/discover");
        return run !== undefined &&
          !run.heard &&
          run.exchange.end === "closed" &&
          bestTalk(e)?.revision === "2025-11-25"
          ? `The server's process ends when it is asked server/discover before initialize (${run.ended ?? "gone"}): clients that ask for the newer revision first lose it`
          : undefined;
      },
    },
    {
      id: "silent-on-discover",
      at: "passed",
      mend: "Answer a method that you don't know with error -32601, before initialize, too: newer clients ask server/discover first, and wait.",
      recognise(e) {
        const asked = talksOf(e).find(({ revision }) => revision === "2026-07-28");
        const best = bestTalk(e);
        return asked?.opened.exchange.end === "timeout" && best?.heard === true && best.revision === "2025-11-25"
          ? "The server does not answer server/discover before initialize: clients that ask for the newer revision first wait for nothing"
          : undefined;
      },
    },
    {
      id: "dies-of-crlf",
      at: "passed",
      mend: "Take CR LF for the end of a line, too: clients on Windows may send it.",
      recognise(e) {
        const run = lastOf(e, "crlf");
        const plain = lastOf(e, "initialize");
        if (run === undefined || plain?.heard !== true || run.heard) return undefined;
        return run.ended === undefined
          ? "The server does not answer a line that ends in CR LF"
          : `The server's process ends when a line ends in CR LF (${run.ended})`;
      },
    },
    {
      id: "text-id-becomes-number",
      at: "passed",
      mend: "Give the id back as it came: a text stays a text, even if it looks like a number.",
      recognise(e) {
        const control = bestTalk(e)?.control;
        const other = responsesIn(control).find(({ id }) => id !== "1" && String(id) === "1");
        return other === undefined
          ? undefined
          : `The server answers the id "1" with the id ${JSON.stringify(other.id)}: clients whose ids are texts never find their answers`;
      },
    },
    {
      id: "ping-unknown",
      at: "passed",
      mend: "Answer ping with an empty result (basic/utilities/ping).",
      recognise(e) {
        const talk = bestTalk(e);
        if (talk?.revision !== "2025-11-25") return undefined;
        const code = rpcError(talk.control?.reply)?.code;
        return code === -32601 ? "The server does not know ping, by which clients ask whether it is alive" : undefined;
      },
    },
    {
      id: "stays-after-end-of-input",
      at: "passed",
      mend: "End when stdin is closed (basic/lifecycle#stdio): clear timers, close connections, exit.",
      recognise(e) {
        const how =
          e.kind === "stdio"
            ? e.runs.find(({ talk }) => talk !== undefined && talk === bestTalk(e))?.closing?.how
            : undefined;
        return how === "SIGTERM" || how === "SIGKILL"
          ? `The server's process stays when stdin is closed, and needed ${how}: it is left over where a client does no more`
          : undefined;
      },
    },
  ];
}

const lastOf = (e: Evidence, how: Run["how"]): Run | undefined =>
  e.kind === "stdio" ? e.runs.findLast((run) => run.how === how) : undefined;
