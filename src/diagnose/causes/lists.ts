import { rpcError } from "../../model/message.ts";
import type { Cause } from "../cause.ts";
import type { Evidence } from "../evidence.ts";
import { bestTalk, listTrouble } from "../progress.ts";

const AT = ["lists"] as const;

/** The session stands, and a list that the server declares can't be had. */
export const listCauses: readonly Cause<Evidence>[] = [
  {
    id: "list-cut",
    at: AT,
    mend: "Wait until stdout is drained, and write what a short write has left over: a pipe takes 64 KiB at once. Don't exit before it is out.",
    recognise(e) {
      const last = failed(e);
      if (e.kind !== "stdio" || last === undefined || last.exchange.reply !== undefined) return undefined;
      const broken = e.runs
        .flatMap(({ talk, late }) => [...(talk?.stray ?? []), ...late])
        .find(
          ({ problem, text }) =>
            (problem === "not-json" || problem === "unterminated") && text.startsWith("{") && text.length > 4000,
        );
      if (broken === undefined) return undefined;
      const size = Buffer.byteLength(broken.text);
      return `The answer to ${last.method} is cut short after ${size} bytes: what is more than the pipe takes at once is lost`;
    },
  },
  {
    id: "list-kills",
    at: AT,
    mend: "Look at the stderr below, and at how much the list holds: a large answer has to be written in pieces.",
    recognise(e) {
      const last = failed(e);
      return last?.exchange.end === "closed"
        ? `The server goes away when it is asked ${last.method}: ${last.exchange.cause ?? "the connection broke"}`
        : undefined;
    },
  },
  {
    id: "list-method-unknown",
    at: AT,
    mend: "Declare only the capabilities that have handlers, or answer with an empty list.",
    recognise(e) {
      const last = failed(e);
      return rpcError(last?.exchange.reply)?.code === -32601
        ? `The server declares ${last?.method.split("/")[0]} and does not know ${last?.method}: some clients give the whole server up`
        : undefined;
    },
  },
  {
    id: "list-wants-session",
    at: AT,
    mend: "Keep sessions where all instances find them (or route by Mcp-Session-Id), and issue the id in the header Mcp-Session-Id of the answer to initialize.",
    recognise(e) {
      const last = failed(e);
      const status = last?.exchange.http?.status;
      const words = `${last?.exchange.http?.body ?? ""} ${rpcError(last?.exchange.reply)?.message ?? ""}`;
      const session = status === 404 || (status === 400 && /session/i.test(words));
      return session
        ? `The server has forgotten the session when it is asked ${last?.method} (HTTP ${status})`
        : undefined;
    },
  },
  {
    id: "list-http-error",
    at: AT,
    mend: "Answer requests of the protocol with JSON-RPC, errors included. A parser that wants other parameters (params with _meta, a cursor) or a gateway may stand before it.",
    recognise(e) {
      const last = failed(e);
      const status = last?.exchange.http?.status ?? 200;
      return status >= 400 && rpcError(last?.exchange.reply) === undefined
        ? `The server answers ${last?.method} with HTTP ${status} in place of a list`
        : undefined;
    },
  },
  {
    id: "list-cursor-null",
    at: AT,
    mend: "Leave nextCursor out on the last page (server/utilities/pagination).",
    recognise: (e) =>
      trouble(e)?.walk?.end === "bad-cursor"
        ? `${trouble(e)?.why}: strict clients drop the whole list, often without a word`
        : undefined,
  },
  {
    id: "list-cursor-loop",
    at: AT,
    mend: "Read the cursor of the request, and leave nextCursor out on the last page.",
    recognise: (e) =>
      trouble(e)?.walk?.end === "loop"
        ? `${trouble(e)?.why}: clients see the same items over and over, or never come to an end`
        : undefined,
  },
  {
    id: "list-item-odd",
    at: AT,
    mend: "Every item of a list is an object.",
    recognise: (e) =>
      /among its items|without its list/.test(trouble(e)?.why ?? "")
        ? `${trouble(e)?.why}: clients refuse the whole list`
        : undefined,
  },
  {
    id: "list-silent",
    at: AT,
    mend: "Answer it, if only with an empty list. If it is computed from something slow, keep the last one.",
    recognise(e) {
      const last = failed(e);
      return last?.exchange.end === "timeout"
        ? `The server begins, and then does not answer ${last.method}`
        : undefined;
    },
  },
  {
    id: "list-broken",
    at: AT,
    mend: "Answer with a result that has the list.",
    recognise: (e) =>
      trouble(e) === undefined ? undefined : `The server begins, and a list can't be had: ${trouble(e)?.why}`,
  },
];

// --- internal ---

function trouble(e: Evidence): ReturnType<typeof listTrouble> {
  const talk = bestTalk(e);
  return talk === undefined ? undefined : listTrouble(talk);
}

/** The request of a list that ended in an error, and what came. */
function failed(e: Evidence) {
  const walk = trouble(e)?.walk;
  const exchange = walk?.end === "error" ? walk.pages.at(-1)?.exchange : undefined;
  return walk === undefined || exchange === undefined ? undefined : { method: walk.method, exchange };
}
