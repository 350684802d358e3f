import type { Exchange } from "../../model/exchange.ts";
import { at, isObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import type { Cause } from "../cause.ts";
import type { Evidence, Talk } from "../evidence.ts";
import { bestTalk, brokeOff, LEGACY, openingTrouble, talksOf } from "../progress.ts";
import { responsesIn } from "./_responses.ts";

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
      const other = responsesIn(exchange).find(({ id }) => id !== asked && String(id) === String(asked));
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
      const other = responsesIn(exchange).find(
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

// --- internal ---

/** The opening that tells most: of the conversation that came farthest. */
const first = (e: Evidence): Exchange | undefined => bestTalk(e)?.opened.exchange;

function errorIn({ opened }: Talk): string {
  const error = rpcError(opened.exchange.reply);
  return error === undefined ? "no answer" : `${error.code}: ${JSON.stringify(error.message.slice(0, 80))}`;
}
