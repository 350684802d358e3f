import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { again, isServed, statusOf } from "./_again.ts";
import { incomparable, outcomeOf } from "./_auth.ts";

const only = (name: string, methods: readonly string[]): Fault =>
  fault(
    name,
    (server) => {
      server.rules.auth = methods;
    },
    { world: { auth: true } },
  );

export default defineCheck({
  id: "security-session-not-auth",
  title: "A session id does not replace the token",
  why: "Session ids travel in logs and URLs of proxies; whoever finds one must not be able to act with it.",
  fix: "Verify the token on every HTTP request, GET and DELETE included, whether or not it names a session.",
  snippet: ['app.use("/mcp", requireToken); // before sessions are looked up, for POST, GET and DELETE'],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    fault(
      "takes a session id in the place of the token",
      (server) => {
        server.rules.authInSession = false;
      },
      { world: { auth: true } },
    ),
    only("opens its GET stream without the token", ["POST", "DELETE"]),
    only("ends a session without the token", ["POST", "GET"]),
  ],
  async run({ opened }, server) {
    const reason = await incomparable(server, opened);
    if (reason !== undefined) return reason;
    const known = await server.attributed(await server.control());
    const { sessionId } = await server.opened();
    if (sessionId === undefined) return skipped("the server issues no session id (it is stateless)");
    if (!isServed(known)) return blocked("the request with the token is refused as well", "control request", known);
    const id = server.unique();
    const drop = ["Authorization"];
    const probes: readonly (() => Promise<Exchange>)[] = [
      () => server.http({ body: again(known, id), id, drop, raw: true }),
      () => server.http({ method: "GET", headersOnly: true, drop, raw: true }),
      () => server.http({ method: "DELETE", headersOnly: true, drop, raw: true }),
    ];
    const all: Exchange[] = [];
    const other: string[] = [];
    for (const probe of probes) {
      const exchange = await probe();
      const status = statusOf(exchange);
      const method = exchange.sent.http?.method ?? "";
      all.push(exchange);
      if (status === 401) continue;
      if (exchange.http === undefined || status >= 500) await server.attributed(exchange);
      if (status < 300) {
        const actual = method === "POST" ? outcomeOf(exchange) : `HTTP ${status}`;
        return fail(`HTTP 401 to ${method} with a session id and no token`, actual, exchange, known);
      }
      // What is not offered at all is refused before anybody asks for a token.
      if (status !== 405) other.push(`${method} with HTTP ${status}`);
    }
    const note = other.length === 0 ? undefined : `refused without a 401: ${other.join(", ")}`;
    return pass("POST, GET and DELETE with a session id and no token refused", note, ...all);
  },
});
