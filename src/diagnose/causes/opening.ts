import type { Exchange } from "../../model/exchange.ts";
import { at, isObject } from "../../model/json.ts";
import { type Message, resultOf, rpcError } from "../../model/message.ts";
import type { Cause } from "../cause.ts";
import type { Evidence, Run, Talk } from "../evidence.ts";
import { bestTalk, brokeOff, LEGACY, openingTrouble, talksOf } from "../progress.ts";

const AT = ["first message", "negotiation"] as const;

/** A message came, and no session that a client could use. */
export const openingCauses: readonly Cause<Evidence>[] = [
  {
    id: "answer-in-array",
    at: AT,
    mend: "Answer one request with one object: since 2025-06-18 there are no batches.",
    recognise: (e) =>
      first(e)?.received.some(
        ({ json }) => Array.isArray(json) && json.some((each) => at(each, "jsonrpc") !== undefined),
      ) === true
        ? "The server wraps its answer in a JSON array, and clients look for an object"
        : undefined,
  },
  {
    id: "id-of-another-type",
    at: AT,
    mend: "Give the id back as it came: a number as a number, a text as a text (JSON-RPC 2.0, section 5).",
    recognise(e) {
      const exchange = first(e);
      const asked = exchange?.request?.id;
      const other = responses(exchange).find(({ id }) => id !== asked && String(id) === String(asked));
      return other === undefined
        ? undefined
        : `The server answers the id ${JSON.stringify(asked)} with the id ${JSON.stringify(other.id)}: clients never find their answer, and wait until their time is up`;
    },
  },
  {
    id: "id-zero-is-lost",
    at: AT,
    mend: "Take 0 for an id like any other: ask whether there is an id, not whether it is truthy.",
    recognise(e) {
      const exchange = first(e);
      const other = responses(exchange).find(
        ({ id, error }) => exchange?.request?.id === 0 && (id === null || id === undefined) && error === undefined,
      );
      return other === undefined ? undefined : "The server loses the id 0, the first that many clients use";
    },
  },
  {
    id: "ends-after-first-answer",
    at: ["negotiation", "lists"],
    mend: "Go on reading: serve requests until stdin is closed.",
    recognise(e) {
      const talk = bestTalk(e);
      const run = e.kind === "stdio" ? e.runs.find((each) => each.talk === talk) : undefined;
      if (talk === undefined || !brokeOff(talk)) return undefined;
      return run === undefined
        ? "The server closes the connection after its first answer"
        : `The server's process ends after its first answer (${run.ended ?? "it went away"})`;
    },
  },
  {
    id: "version-unknown",
    at: AT,
    mend: `Answer with the version that was asked for if you support it, else with the newest that you do: ${LEGACY.join(", ")}.`,
    recognise(e) {
      const version = at(resultOf(first(e)?.reply), "protocolVersion");
      return typeof version === "string" && !LEGACY.some((each) => each === version)
        ? `The server names a protocolVersion that is none (${JSON.stringify(version.slice(0, 80))}), and clients refuse it`
        : undefined;
    },
  },
  {
    id: "result-incomplete",
    at: AT,
    mend: "The result of initialize has protocolVersion, capabilities and serverInfo with name and version (basic/lifecycle#initialization).",
    recognise(e) {
      const result = resultOf(first(e)?.reply);
      if (!isObject(result) || bestTalk(e)?.revision !== "2025-11-25") return undefined;
      const lacking = ["protocolVersion", "capabilities", "serverInfo"].filter((name) => result[name] === undefined);
      return lacking.length === 0
        ? undefined
        : `The result of initialize lacks ${lacking.join(" and ")}: clients can't read it, and fail to initialize`;
    },
  },
];

/** What remains when nothing more precise fits. */
export const otherOpeningCauses: readonly Cause<Evidence>[] = [
  {
    id: "two-revisions-refused",
    at: AT,
    mend: "Speak 2025-11-25 (initialize) or 2026-07-28 (server/discover), or both.",
    recognise(e) {
      const talks = talksOf(e).filter(({ opened }) => rpcError(opened.exchange.reply) !== undefined);
      const [one, other] = talks;
      if (one === undefined || other === undefined || talks.length < talksOf(e).length) return undefined;
      return `The server refuses both initialize (${errorIn(one)}) and server/discover (${errorIn(other)})`;
    },
  },
  {
    id: "opening-error",
    at: AT,
    mend: "Answer initialize with a result, whatever else is wrong: a missing credential can be told when a tool is called.",
    recognise(e) {
      const error = rpcError(first(e)?.reply);
      return error === undefined
        ? undefined
        : `The server refuses to begin: error ${error.code}, ${JSON.stringify(error.message.slice(0, 160))}`;
    },
  },
  {
    id: "opening-unusable",
    at: AT,
    mend: "Answer the opening request with a response that has its id and a result object.",
    recognise(e) {
      const talk = bestTalk(e);
      const why = talk === undefined ? undefined : openingTrouble(talk);
      return why === undefined ? undefined : `The server answers and no session comes of it: ${why}`;
    },
  },
];

/** What works here and breaks other clients, as soon as they connect. */
export const openingTroubles: readonly Cause<Evidence>[] = [
  {
    id: "answers-notifications",
    at: "passed",
    mend: "Never answer a message without an id: it is a notification (JSON-RPC 2.0, section 4.1).",
    recognise(e) {
      const talk = bestTalk(e);
      const asked = talk?.opened.exchange.request?.id;
      const answer = talk?.stray
        .map(({ message }) => message)
        .find((message) => message !== undefined && isAnswer(message));
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
      return run !== undefined && !run.heard && run.exchange.end === "closed" && bestTalk(e)?.revision === "2025-11-25"
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
      const other = responses(control).find(({ id }) => id !== "1" && String(id) === "1");
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

// --- internal ---

/** The opening that tells most: of the conversation that came farthest. */
const first = (e: Evidence): Exchange | undefined => bestTalk(e)?.opened.exchange;

const responses = (exchange: Exchange | undefined): readonly Message[] =>
  (exchange?.received ?? []).flatMap(({ message }) => (message !== undefined && isAnswer(message) ? [message] : []));

const isAnswer = (message: Message): boolean => message.result !== undefined || message.error !== undefined;

const lastOf = (e: Evidence, how: Run["how"]): Run | undefined =>
  e.kind === "stdio" ? e.runs.findLast((run) => run.how === how) : undefined;

function errorIn({ opened }: Talk): string {
  const error = rpcError(opened.exchange.reply);
  return error === undefined ? "no answer" : `${error.code}: ${JSON.stringify(error.message.slice(0, 80))}`;
}
