import { lists } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { cachingFaults, hintedPages, laterPageFault } from "../_caching.ts";

export default defineCheck({
  id: "resources-list-caching",
  title: "Every page of resources/list carries ttlMs and cacheScope",
  why: "Without the hints a client can't tell a list that may be kept from one that changes all the time, nor one for all users from one for this user; strict ones refuse it.",
  fix: "Put ttlMs (an integer of at least 0; 0 means: do not keep it) and cacheScope (public or private) into every page of resources/list.",
  snippet: ['"result": { "resultType": "complete", "resources": […], "ttlMs": 60000, "cacheScope": "private" }'],
  effect: "shared",
  needs: { list: lists.resources },
  faults: [...cachingFaults("resources/list"), laterPageFault("resources/list")],
  run: async ({ list }) => hintedPages(list),
});
