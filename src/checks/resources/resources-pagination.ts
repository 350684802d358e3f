import { paged } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { paging } from "../_pagination.ts";
import { pagingFaults } from "../_pagination-faults.ts";

export default defineCheck({
  id: "resources-pagination",
  title: "The pages of resources/list lead to an end without listing anything twice",
  why: "A client follows nextCursor until there is none; one that is null, stands still or is refused costs it the rest of the resources.",
  fix: "Give nextCursor as a string while there is more and leave it out on the last page; take your own cursors back, each for its page.",
  snippet: [
    '-> "params": {}                   <- "result": { "resources": […], "nextCursor": "50" }',
    '-> "params": { "cursor": "50" }   <- "result": { "resources": […] }',
  ],
  effect: "shared",
  needs: { walk: paged.resources },
  faults: pagingFaults("resources"),
  run: ({ walk }, server) => paging(walk, { noun: "resources", key: "uri" }, server),
});
