import * as v from "valibot";
import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, header } from "../../model/exchange.ts";
import { at, isObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { pass } from "../../model/outcome.ts";
import type { RawHttp } from "../../model/session.ts";
import { sight } from "../_sight.ts";
import { initialize } from "./_era.ts";

export default defineCheck({
  id: "lifecycle-dual-era",
  title: "The eras that the server speaks are told",
  why: "Servers may speak this revision, the older ones that begin with initialize, or both; each of the three is legal, and clients meet it differently.",
  fix: "Nothing has to be fixed. A server that wants to be found by older clients, too, answers initialize as they know it.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",…}}',
    "<- a result (both eras), or error -32601 (this era only)",
  ],
  effect: "own",
  uses: "http",
  needs: { opened },
  params: v.object({ version: v.string() }),
  cases: [
    { name: "dual-era", world: { era: "dual" }, text: "dual-era: initialize opens a session of 2025-11-25" },
    { name: "legacy-only", world: { era: "legacy" }, text: "legacy-only: initialize opens a session of 2025-11-25" },
    { name: "modern-only", world: { era: "modern" }, text: "modern-only: initialize is answered with error" },
    {
      name: "silent after its discovery",
      world: { era: "modern", mute: true },
      text: "silent: initialize is not answered",
    },
  ],
  async run({ opened }, server) {
    const exchange = await initialize(server, server.params.version);
    const result = resultOf(exchange.reply);
    const session = header(exchange.http?.headers, "mcp-session-id");
    if (session !== undefined) await leave(server, session);
    const modern = opened.refusal === undefined;
    const version = at(result, "protocolVersion");
    if (isObject(result)) {
      const how = `initialize opens a session of ${typeof version === "string" ? version.slice(0, 40) : "no version"}`;
      return pass(
        `${modern ? "dual-era" : "legacy-only"}: ${how}${modern ? "" : ", server/discover is refused"}`,
        undefined,
        exchange,
      );
    }
    if (exchange.end === "unreachable") return pass("unreachable", "nobody answers at the address", exchange);
    if (exchange.end === "timeout") return pass("silent: initialize is not answered", undefined, exchange);
    const answer = `initialize is answered with ${sight(exchange)}`;
    // Who is turned away for want of a credential learns nothing of eras.
    const turnedAway = exchange.http?.status === 401 || exchange.http?.status === 403;
    const era = modern ? "modern-only" : turnedAway ? "unknown era" : "neither era";
    return pass(`${era}: ${answer}`, undefined, exchange);
  },
});

// --- internal ---

/** Section basic/transports#session-management of the older revisions: who is done says so. */
const leave = (server: RawHttp, session: string): Promise<Exchange> =>
  server.http({ method: "DELETE", frame: "sessionless", set: { "Mcp-Session-Id": session }, headersOnly: true });
