import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { statusOf } from "./_again.ts";
import { attributedRefusal, incomparable, openingWith, outcomeOf } from "./_auth.ts";

const world = { auth: true };

export default defineCheck({
  id: "security-auth-malformed",
  title: "Malformed or invalid credentials are refused with 401",
  why: "A client that holds a stale token asks for a new one only when it sees 401; and a server that takes any token protects nothing.",
  fix: "Verify the token on each request, and answer whatever does not verify with HTTP 401, errors inside the verifier included.",
  snippet: [
    "try {",
    "  await verify(token);",
    "} catch {",
    '  return response.writeHead(401, { "WWW-Authenticate": \'Bearer error="invalid_token"\' }).end();',
    "}",
  ],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    fault(
      "takes any bearer token",
      (server) =>
        server.gate(({ headers }) => {
          server.rules.auth = /^Bearer \S+$/.test(headers["authorization"] ?? "") ? [] : ["POST", "GET", "DELETE"];
          return undefined;
        }),
      { world },
    ),
    fault(
      "takes any Authorization header",
      (server) =>
        server.gate(({ headers }) => {
          server.rules.auth = headers["authorization"] === undefined ? ["POST", "GET", "DELETE"] : [];
          return undefined;
        }),
      { world },
    ),
    fault(
      "answers an invalid token with 500",
      (server) =>
        server.http((plan, { headers }) =>
          plan.status === 401 && headers["authorization"]?.startsWith("Bearer") === true
            ? { ...plan, status: 500 }
            : plan,
        ),
      { world },
    ),
    fault(
      "answers a scheme that it does not know with 500",
      (server) =>
        server.http((plan, { headers }) =>
          plan.status === 401 && headers["authorization"]?.startsWith("Basic") === true
            ? { ...plan, status: 500 }
            : plan,
        ),
      { world },
    ),
    fault(
      "answers an invalid token with 400",
      (server) =>
        server.http((plan, { headers }) =>
          plan.status === 401 && /^Bearer \S+$/.test(headers["authorization"] ?? "") ? { ...plan, status: 400 } : plan,
        ),
      { world },
    ),
  ],
  async run({ opened }, server) {
    const reason = await incomparable(server, opened);
    if (reason !== undefined) return reason;
    const probes = [
      { name: "an unknown bearer token", value: `Bearer ${server.unique()}`, malformed: false },
      { name: "another scheme", value: "Basic eDp5", malformed: true },
      { name: "a token with blanks", value: "Bearer a b c", malformed: true },
      { name: "no scheme", value: "garbage", malformed: true },
    ];
    const all: Exchange[] = [];
    const lax: string[] = [];
    for (const { name, value, malformed } of probes) {
      const exchange = await openingWith(server, opened, value);
      const status = statusOf(exchange);
      all.push(exchange);
      if (status === 401 || (malformed && status === 400)) continue;
      if (status >= 500) return fail(`HTTP 401 for ${name}`, outcomeOf(exchange), exchange);
      // Section basic/authorization#error-handling: 403 is for a token that is valid and not enough.
      await attributedRefusal(server, exchange);
      if (status !== 403) return fail(`HTTP 401 for ${name}`, outcomeOf(exchange), exchange);
      lax.push(name);
    }
    // The control: our own credential must still be the one that counts.
    await server.attributed(await server.control());
    const note = lax.length === 0 ? undefined : `HTTP 403 in the place of 401 for ${lax.join(", ")}`;
    return pass(`${all.length} wrong credentials refused`, note, ...all);
  },
});
