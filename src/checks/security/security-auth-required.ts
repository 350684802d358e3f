import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { isServed, statusOf } from "./_again.ts";
import { attributedRefusal, challengeOf, openingWithout, outcomeOf } from "./_auth.ts";

const auth = { auth: true };
const others = ["security-auth-malformed", "security-session-not-auth", "security-token-in-uri"];

export default defineCheck({
  id: "security-auth-required",
  title: "A server that requires authorization refuses requests without a token with 401",
  why: "The 401 is what starts a client's login; served without a token, the server is open to everybody.",
  fix: "Look for the bearer token before you read the message, and answer with HTTP 401 and a WWW-Authenticate header where there is none.",
  snippet: [
    "-> POST /mcp (no Authorization)",
    "<- HTTP/1.1 401 Unauthorized",
    '   WWW-Authenticate: Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource/mcp"',
  ],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    fault(
      "serves whoever has no token though it is given one",
      (server) => {
        server.rules.auth = [];
      },
      { world: auth },
    ),
    fault(
      "refuses wrong tokens only",
      (server) =>
        server.gate(({ headers }) => {
          server.rules.auth = headers["authorization"] === undefined ? [] : ["POST", "GET", "DELETE"];
          return undefined;
        }),
      { world: auth },
    ),
    fault(
      "answers a missing token with an error and status 200",
      (server) => server.http((plan) => (plan.status === 401 ? { ...plan, status: 200 } : plan)),
      { world: auth, alsoFails: others },
    ),
    fault(
      "answers a missing token with 400",
      (server) =>
        server.http((plan, { headers }) =>
          plan.status === 401 && headers["authorization"] === undefined ? { ...plan, status: 400 } : plan,
        ),
      { world: auth },
    ),
    fault(
      "answers a missing token with 500",
      (server) =>
        server.http((plan, { headers }) =>
          plan.status === 401 && headers["authorization"] === undefined ? { ...plan, status: 500 } : plan,
        ),
      { world: auth, alsoFails: others.slice(1) },
    ),
  ],
  async run({ opened }, server) {
    const { credential } = server.target;
    const exchange = await openingWithout(server, opened);
    const status = statusOf(exchange);
    if (status === 401) return pass("HTTP 401 without a token", undefined, exchange);
    if (!credential && isServed(exchange)) {
      return skipped("the server is open and no --auth was given: authorization is optional");
    }
    if (credential) await attributedRefusal(server, exchange);
    else if (status !== 403 || !/\bbearer\b/i.test(challengeOf(exchange))) {
      return blocked(opened.refusal ?? "the opening failed", "opening", exchange);
    }
    if (status === 403) return pass("HTTP 403 without a token", "the status for a missing token is 401", exchange);
    return fail("HTTP 401 without a token", outcomeOf(exchange), exchange);
  },
});
