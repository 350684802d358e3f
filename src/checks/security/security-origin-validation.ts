import * as v from "valibot";
import { negotiated, opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { blocked, fail, pass } from "../../model/outcome.ts";
import type { RawHttp, Server } from "../../model/session.ts";
import { sight } from "../_sight.ts";
import { again, isClientError, isServed, likeBefore, statusOf } from "./_again.ts";

const FOREIGN = "https://evil.example.com";

const ignoring = (name: string, checked: readonly string[], more: Parameters<typeof fault>[2] = {}): Fault =>
  fault(
    name,
    (server) => {
      server.rules.origin = checked;
    },
    more,
  );
const refusing = (originStatus: number): Fault =>
  fault(`refuses a foreign Origin with ${originStatus}`, (server) => {
    server.rules.originStatus = originStatus;
  });

/** Whether the Origin counts depends on what is asked. */
const unless = (name: string, exempt: (method: unknown) => boolean, more: Parameters<typeof fault>[2] = {}): Fault =>
  fault(
    name,
    (server) =>
      server.gate(({ json }) => {
        server.rules.origin = exempt(at(json, "method")) ? [] : ["POST", "GET", "DELETE"];
        return undefined;
      }),
    more,
  );
const isOpening = (method: unknown): boolean => method === "initialize" || method === "server/discover";

export default defineCheck({
  id: "security-origin-validation",
  title: "A foreign Origin is refused with 403 on every connection",
  why: "Any web page that a user visits can send requests to a server on that user's machine; the Origin header is what gives it away.",
  fix: "Before anything else, compare a present Origin header with the origins that you serve, on every method, and answer others with HTTP 403.",
  snippet: [
    "const { origin } = request.headers;",
    "if (origin !== undefined && !ALLOWED.has(origin)) return response.writeHead(403).end();",
  ],
  effect: "own",
  uses: "http",
  needs: { opened, negotiated },
  params: v.object({ methods: v.array(v.picklist(["POST", "GET"])) }),
  faults: [
    ignoring("never looks at the Origin", []),
    ignoring("looks at the Origin of POST only", ["POST", "DELETE"], { only: "2025-11-25" }),
    ignoring("looks at the Origin of GET only", ["GET"]),
    unless("takes an opening from any Origin", isOpening),
    unless("looks at the Origin of openings only", (method) => !isOpening(method), { only: "2025-11-25" }),
    refusing(400),
    refusing(401),
    refusing(404),
    fault("answers a foreign Origin with an error and status 200", (server) => {
      server.rules.originStatus = 200;
    }),
  ],
  async run({ opened, negotiated }, server) {
    const known = await server.control();
    if (!isTaken(known)) {
      await server.attributed(known);
      return blocked("the request without an Origin is refused as well", "control request", known);
    }
    const probes: readonly (readonly [string, Exchange])[] = [
      ["POST", await post(server, known, FOREIGN)],
      ["the opening", await opening(server, opened.exchange, FOREIGN)],
      ...(server.params.methods.includes("GET") ? await offered(server) : []),
    ];
    // Section basic/transports#security-warning: the status is named since 2025-11-25.
    const exact = negotiated >= "2025-11-25" || negotiated === "";
    const wrong: (readonly [string, Exchange])[] = [];
    for (const [name, exchange] of probes) {
      // A 401 here is about the Origin: the same credential has just been served without it.
      if (statusOf(exchange) !== 401) await server.attributed(exchange, { codes: "any" });
      const right = exact ? statusOf(exchange) === 403 : isClientError(exchange);
      if (!right) wrong.push([name, exchange]);
    }
    const all = probes.map(([, exchange]) => exchange);
    if (wrong.length > 0) {
      const [, first] = wrong[0] ?? [];
      return fail(
        `${exact ? "HTTP 403" : "a refusal"} for Origin ${FOREIGN}`,
        wrong.map(([name, exchange]) => `${name}: ${seen(exchange)}`).join(", "),
        first,
        known,
      );
    }
    const own = await post(server, known, server.target.url?.origin ?? "");
    const note = isTaken(own) ? undefined : "the server's own origin is refused, too";
    return pass(`a foreign Origin refused on ${probes.map(([name]) => name).join(", ")}`, note, ...all);
  },
});

// --- internal ---

/** A server that answers its own error has not refused the request: it may not know ping. */
const isTaken = (exchange: Exchange): boolean =>
  isServed(exchange) || (exchange.reply !== undefined && statusOf(exchange) < 300);

function post(server: Server & RawHttp, known: Exchange, origin: string): Promise<Exchange> {
  const id = server.unique();
  return server.http({ body: again(known, id), id, set: { Origin: origin } });
}

function opening(server: Server & RawHttp, exchange: Exchange, origin: string): Promise<Exchange> {
  const { set, ...init } = likeBefore(exchange, server.unique(), "Origin");
  return server.http({ ...init, set: { ...set, Origin: origin } });
}

/** GET is judged only where it is offered: a 405, say, refuses every origin alike. */
async function offered(server: Server & RawHttp): Promise<readonly (readonly [string, Exchange])[]> {
  const get = (set: Readonly<Record<string, string>>) => server.http({ method: "GET", headersOnly: true, set });
  const foreign = await get({ Origin: FOREIGN });
  if (foreign.http === undefined || statusOf(foreign) < 300 || statusOf(foreign) === 403) return [["GET", foreign]];
  const without = await get({});
  return without.http !== undefined && statusOf(without) < 300 ? [["GET", foreign]] : [];
}

const seen = (exchange: Exchange): string =>
  isServed(exchange) || (exchange.sent.http?.method === "GET" && statusOf(exchange) < 300)
    ? `served (HTTP ${statusOf(exchange)})`
    : exchange.http === undefined || statusOf(exchange) < 300
      ? sight(exchange)
      : `HTTP ${statusOf(exchange)}`;
