import { sessionId } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange, Header } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { oneLine } from "../../text/escape.ts";
import { randomness } from "../../text/scan-entropy.ts";

/** A server whose clients are told other session ids than those it works with. */
const issuing = (name: string, make: (n: number) => string, ends = true): Fault =>
  fault(name, (server) => {
    server.rules.delete = ends;
    const real = new Map<string, string>();
    let issued = 0;
    server.http((plan, { json }) => {
      if (at(json, "method") !== "initialize") return plan;
      const headers = plan.headers.map(([key, value]): Header => {
        if (key !== "Mcp-Session-Id") return [key, value];
        issued += 1;
        const told = make(issued);
        if (!real.has(told)) real.set(told, value);
        return [key, told];
      });
      return { ...plan, headers };
    });
    server.gate((request) => {
      const told = request.headers["mcp-session-id"];
      const own = told === undefined ? undefined : real.get(told);
      if (own !== undefined) Object.assign(request.headers, { "mcp-session-id": own });
      return undefined;
    });
  });

export default defineCheck({
  id: "security-session-entropy",
  title: "Session ids are unique and cannot be guessed",
  why: "Whoever guesses a session id reads and writes in another user's session.",
  fix: "Make each session id with a cryptographic random source: a UUIDv4, or 16 random bytes as hex or base64url.",
  snippet: ["const id = crypto.randomUUID();"],
  effect: "own",
  needs: { sessionId },
  faults: [
    issuing("counts its sessions", (n) => `session-${n}`),
    issuing("pads the number of a session with zeros", (n) => String(n).padStart(32, "0")),
    issuing("takes the time for a session id", (n) => String(1_764_512_345_678 + n * 13)),
    issuing(
      "gives sessions short random ids",
      (n) => ["k3f9zq", "1xp0ab", "m7cdt5", "ef92lq", "0hs6vw"][n % 5] + String(n),
    ),
    issuing("gives sessions the time and four random bytes", (n) => {
      const random = ["8f3a90c1", "1b7e44d2", "e05c9a37", "47d1f8b6", "a92c0e5f"][n % 5] ?? "";
      return `${(1_764_512_345_678 + n * 13).toString(16)}-${random}`;
    }),
    issuing("gives the same session id to everyone", () => "3f2b8a6e-5c1d-4e9f-8a7b-6c5d4e3f2a1b", false),
  ],
  async run(_, server) {
    const openings: Exchange[] = [];
    const ids: string[] = [];
    while (ids.length < SESSIONS) {
      const session = await server.open();
      const { exchange, refusal, sessionId: id } = await session.opened();
      if (refusal !== undefined) {
        if ((exchange.http?.status ?? 0) < 500) await server.attributed(exchange, { codes: "any" });
        return blocked(`a further session can't be opened: ${refusal}`, "opening", exchange);
      }
      if (id === undefined) return skipped("the server does not issue a session id each time");
      openings.push(exchange);
      ids.push(id);
    }
    const shown = (id: string | undefined) => JSON.stringify(oneLine(id ?? "", 40));
    if (new Set(ids).size < ids.length) {
      const twice = ids.find((id, n) => ids.indexOf(id) < n);
      return fail(`${SESSIONS} different session ids`, `${shown(twice)} twice`, ...openings);
    }
    const { bits, characters, rising } = randomness(ids);
    const counts = rising ? ", beside a part that counts up" : "";
    if (bits < LEAST_BITS) {
      const actual = `about ${bits} bits${counts} (${shown(ids[0])}, ${shown(ids[1])})`;
      return fail(`session ids with at least ${LEAST_BITS} random bits`, actual, ...openings);
    }
    const note = rising
      ? "session ids begin with a part that counts up"
      : characters < 22
        ? `only ${characters} characters differ from one session id to the next`
        : undefined;
    return pass(`${SESSIONS} session ids with about ${bits} random bits`, note, ...openings);
  },
});

// --- internal ---

const SESSIONS = 5;
const LEAST_BITS = 64;
