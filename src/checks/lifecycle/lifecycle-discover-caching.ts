import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { kindOf } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";

export default defineCheck({
  id: "lifecycle-discover-caching",
  title: "The answer to server/discover tells how long and by whom it may be kept",
  why: "Clients that keep answers need both hints: without them they ask again each time, or refuse the answer.",
  fix: 'Give the result of server/discover ttlMs (whole milliseconds, 0 for "do not keep") and cacheScope ("public" or "private").',
  effect: "shared",
  needs: { opening },
  faults: [
    fault("discovers without ttlMs", (server) => server.drop("server/discover", ["ttlMs"])),
    fault("discovers with a negative ttlMs", (server) => server.put("server/discover", ["ttlMs"], -1)),
    fault("discovers with half a millisecond of ttlMs", (server) => server.put("server/discover", ["ttlMs"], 0.5)),
    fault("discovers with ttlMs as a text", (server) => server.put("server/discover", ["ttlMs"], "60000")),
    fault("discovers without cacheScope", (server) => server.drop("server/discover", ["cacheScope"])),
    fault("discovers with a cacheScope of HTTP", (server) => server.put("server/discover", ["cacheScope"], "no-store")),
    fault("discovers without any hint for caches", (server) =>
      server.edit("server/discover", ({ ttlMs, cacheScope, ...result }) => result),
    ),
  ],
  async run({ opening: { exchange, result } }) {
    const { ttlMs, cacheScope } = result;
    if (typeof ttlMs !== "number") return fail("an integer ttlMs of 0 or more", kindOf(ttlMs), exchange);
    if (!Number.isInteger(ttlMs) || ttlMs < 0) return fail("an integer ttlMs of 0 or more", String(ttlMs), exchange);
    if (cacheScope !== "public" && cacheScope !== "private") {
      const actual = typeof cacheScope === "string" ? JSON.stringify(cacheScope.slice(0, 40)) : kindOf(cacheScope);
      return fail('"public" or "private" as cacheScope', actual, exchange);
    }
    return pass(`ttlMs ${ttlMs}, cacheScope ${cacheScope}`, undefined, exchange);
  },
});
