import { lists } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { skipped } from "../../model/outcome.ts";
import { cachingFaults, hinted, isComplete } from "../_caching.ts";
import { urisOf } from "./_uris.ts";

const MOST = 3;

export default defineCheck({
  id: "resources-read-caching",
  title: "What is read of a resource carries ttlMs and cacheScope",
  why: "Contents are the largest things a server sends; the hints say how long a client may use what it has, and strict clients refuse contents without them.",
  fix: "Put ttlMs (an integer of at least 0; 0 means: do not keep it) and cacheScope (private where the contents depend on who reads) beside contents.",
  snippet: ['"result": { "resultType": "complete", "contents": […], "ttlMs": 0, "cacheScope": "private" }'],
  effect: "shared",
  needs: { list: lists.resources },
  faults: cachingFaults("resources/read"),
  async run({ list }, server) {
    const read: Exchange[] = [];
    for (const uri of urisOf(list).slice(0, MOST)) {
      const exchange = await server.send("resources/read", { uri });
      // Whether it should have been answered is for resources-read to judge.
      if (exchange.end !== "reply" && exchange.end !== "complete") break;
      read.push(exchange);
    }
    if (read.some(isComplete)) return hinted(read);
    return skipped(list.items.length === 0 ? "no resource is listed" : "no listed resource was read");
  },
});
