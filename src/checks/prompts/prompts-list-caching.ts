import { lists } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { cachingFaults, hintedPages, laterPageFault } from "../_caching.ts";

export default defineCheck({
  id: "prompts-list-caching",
  title: "Every page of prompts/list carries ttlMs and cacheScope",
  why: "Menus of prompts are shown again and again; without the hints clients ask each time or keep a list that has changed, and strict ones refuse it.",
  fix: "Put ttlMs (an integer of at least 0; 0 means: do not keep it) and cacheScope (public or private) into every page of prompts/list.",
  snippet: ['"result": { "resultType": "complete", "prompts": […], "ttlMs": 60000, "cacheScope": "public" }'],
  effect: "shared",
  needs: { list: lists.prompts },
  faults: [...cachingFaults("prompts/list"), laterPageFault("prompts/list")],
  run: async ({ list }) => hintedPages(list),
});
