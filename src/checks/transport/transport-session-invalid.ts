import { sessionId } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { page } from "../_bends.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

export default defineCheck({
  id: "transport-session-invalid",
  title: "A session id that was never issued is answered with 404",
  why: "404 is the status on which clients open a new session; on any other they keep on sending to one that is gone.",
  fix: "Look the MCP-Session-Id up among the sessions you have, and answer HTTP 404 where there is none of that id.",
  snippet: [
    'const session = sessions.get(request.headers["mcp-session-id"]);',
    "if (session === undefined) return response.writeHead(404).end();",
  ],
  effect: "shared",
  uses: "http",
  needs: { sessionId },
  faults: [
    fault(
      "serves any session id",
      (server) => {
        server.rules.unknownSession = 0;
      },
      { alsoFails: ["transport-delete"] },
    ),
    fault("answers an unknown session with 403", status(403)),
    fault("answers an unknown session with 410", status(410)),
    fault("breaks down on an unknown session", status(500), { alsoFails: ["transport-delete"] }),
    fault("answers an unknown session with an error and status 200", status(200)),
    fault("takes a message for an unknown session and does nothing", (server) =>
      server.http((plan, { method }) => (plan.status === 404 && method === "POST" ? page(202, "", "") : plan)),
    ),
  ],
  async run({ sessionId }, server) {
    const { request } = await server.control();
    const id = server.unique();
    const exchange = await server.http({
      body: JSON.stringify({ ...request, id }),
      set: { "MCP-Session-Id": neverIssued(sessionId, server.random) },
      id,
    });
    await server.attributed(settled(exchange));
    switch (exchange.http?.status) {
      case 404:
        return pass("HTTP 404", undefined, exchange);
      case 400:
        return pass("HTTP 400", "400 for an id that was never issued; 404 is demanded for terminated ones", exchange);
      default:
        return fail(
          "HTTP 404",
          exchange.http?.status === 200 ? `HTTP 200 with ${sight(exchange)}` : sight(exchange),
          exchange,
        );
    }
  },
});

// --- internal ---

function status(status: number): (server: Bendable) => void {
  return (server) => {
    server.rules.unknownSession = status;
  };
}

const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/[0-9]/, "0123456789"],
  [/[a-f]/, "abcdef"],
  [/[g-z]/, "ghijklmnopqrstuvwxyz"],
  [/[A-F]/, "ABCDEF"],
  [/[G-Z]/, "GHIJKLMNOPQRSTUVWXYZ"],
];

/** An id of the same form, another in its last characters: prefixes and the version of a UUID stay what they are. */
function neverIssued(id: string, random: (below: number) => number): string {
  // A short one could be somebody's.
  const form = id.length < 8 ? id.padEnd(8, id) : id;
  const other = (letter: string): string => {
    const alphabet = ALPHABETS.find(([kind]) => kind.test(letter))?.[1] ?? letter;
    const rest = [...alphabet].filter((each) => each !== letter);
    return rest[random(Math.max(rest.length, 1))] ?? letter;
  };
  return form.slice(0, -12) + [...form.slice(-12)].map(other).join("");
}
