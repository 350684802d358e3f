import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fail, pass } from "../../model/outcome.ts";
import { cachingFaults, complaint } from "../_caching.ts";

export default defineCheck({
  id: "lifecycle-discover-caching",
  title: "The answer to server/discover tells how long and by whom it may be kept",
  why: "Clients that keep answers need both hints: without them they ask again each time, or refuse the answer.",
  fix: 'Give the result of server/discover ttlMs (whole milliseconds, 0 for "do not keep") and cacheScope ("public" or "private").',
  snippet: [
    '"result": { "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 3600000, "cacheScope": "public" }',
  ],
  effect: "shared",
  needs: { opening },
  faults: cachingFaults("server/discover"),
  async run({ opening: { exchange, result } }) {
    const wrong = complaint(result);
    if (wrong !== undefined) return fail(...wrong, exchange);
    return pass(`ttlMs ${String(result["ttlMs"])}, cacheScope ${String(result["cacheScope"])}`, undefined, exchange);
  },
});
