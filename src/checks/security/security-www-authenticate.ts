import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { oneLine } from "../../text/escape.ts";
import { statusOf } from "./_again.ts";
import { challengeOf, openingWithout } from "./_auth.ts";
import { findMetadata, resourceMetadata } from "./_metadata.ts";

/** A 401 with this challenge and, unless told otherwise, without metadata anywhere. */
const challenging = (name: string, challenge: string | undefined, documented = false): Fault =>
  fault(
    name,
    (server) =>
      server.http((plan, { path }) => {
        if (path.startsWith("/.well-known/") && !documented) return { status: 404, headers: [] };
        if (plan.status !== 401) return plan;
        const headers = plan.headers.filter(([key]) => key !== "WWW-Authenticate");
        return { ...plan, headers: challenge === undefined ? headers : [...headers, ["WWW-Authenticate", challenge]] };
      }),
    documented
      ? { world: { auth: true, newest: "2025-06-18" }, only: "2025-11-25" }
      : { world: { locked: true }, alsoFails: ["security-oauth-metadata"] },
  );

export default defineCheck({
  id: "security-www-authenticate",
  title: "A 401 tells where the protected resource metadata is, or a well-known document does",
  why: "A client that can't find the metadata concludes that there is no OAuth here, and the user can't log in.",
  fix: 'Send WWW-Authenticate: Bearer resource_metadata="https://your-server/.well-known/oauth-protected-resource/…" with each 401, and serve that document.',
  snippet: [
    "<- HTTP/1.1 401 Unauthorized",
    '   WWW-Authenticate: Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource/mcp"',
  ],
  effect: "own",
  uses: "http",
  needs: { opened },
  faults: [
    challenging("sends 401 without a challenge and has no metadata", undefined),
    challenging("sends a bare Bearer challenge and has no metadata", "Bearer"),
    challenging("sends a Basic challenge and has no metadata", 'Basic realm="notes"'),
    challenging("sends 401 without a challenge where 2025-06-18 wants one", undefined, true),
    challenging("sends a challenge without resource_metadata where 2025-06-18 wants it", 'Bearer scope="notes"', true),
  ],
  async run({ opened }, server) {
    const refused = await openingWithout(server, opened);
    if (statusOf(refused) !== 401) {
      if (opened.refusal !== undefined) return blocked(opened.refusal, "opening", opened.exchange);
      return skipped("no 401 was seen");
    }
    const named = resourceMetadata(refused);
    const challenge = challengeOf(refused);
    const seen = challenge === "" ? "no WWW-Authenticate" : `WWW-Authenticate: ${oneLine(challenge, 80)}`;
    if (named !== undefined) {
      return URL.canParse(named)
        ? pass("a Bearer challenge with resource_metadata", undefined, refused)
        : fail("a URL in resource_metadata", oneLine(named, 80), refused);
    }
    // Since 2025-11-25 the well-known document alone is enough.
    if (opened.negotiated === "2025-06-18") return fail("a Bearer challenge with resource_metadata", seen, refused);
    const { document, exchange } = await findMetadata(server, refused);
    return document === undefined
      ? fail(
          "a Bearer challenge with resource_metadata, or metadata at a well-known URI",
          `${seen}, and none`,
          refused,
          exchange,
        )
      : pass("metadata at a well-known URI", `${seen}: clients have to guess where the metadata is`, refused, exchange);
  },
});
