import { lists } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { cachingFaults, hintedPages, laterPageFault } from "../_caching.ts";

export default defineCheck({
  id: "tools-list-caching",
  title: "Every page of tools/list carries ttlMs and cacheScope",
  why: "Clients ask for the tools at each turn unless they are told how long the answer holds; strict ones refuse a list without the hints.",
  fix: "Put ttlMs (an integer of at least 0; 0 means: do not keep it) and cacheScope (public or private) into every page of tools/list.",
  snippet: ['"result": { "resultType": "complete", "tools": […], "ttlMs": 60000, "cacheScope": "public" }'],
  effect: "shared",
  needs: { list: lists.tools },
  faults: [...cachingFaults("tools/list"), laterPageFault("tools/list")],
  run: async ({ list }) => hintedPages(list),
});
