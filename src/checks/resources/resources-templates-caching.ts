import { templatePages } from "../../facts/templates.ts";
import { defineCheck } from "../../model/define.ts";
import { cachingFaults, hintedPages } from "../_caching.ts";

const METHOD = "resources/templates/list";

export default defineCheck({
  id: "resources-templates-caching",
  title: "The result of resources/templates/list carries ttlMs and cacheScope",
  why: "Templates hardly ever change, and only the hints let a client keep them; strict clients refuse a list without them.",
  fix: "Put ttlMs (an integer of at least 0; 0 means: do not keep it) and cacheScope (public or private) into every page of resources/templates/list.",
  snippet: [
    '"result": { "resultType": "complete", "resourceTemplates": […], "ttlMs": 3600000, "cacheScope": "public" }',
  ],
  effect: "shared",
  needs: { walk: templatePages },
  faults: cachingFaults(METHOD),
  run: async ({ walk }) => hintedPages({ walk }),
});
