import { paged } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { paging } from "../_pagination.ts";
import { pagingFaults } from "../_pagination-faults.ts";

export default defineCheck({
  id: "prompts-pagination",
  title: "The pages of prompts/list lead to an end without listing anything twice",
  why: "A client follows nextCursor until there is none; one that is null, stands still or is refused costs it the rest of the prompts.",
  fix: "Give nextCursor as a string while there is more and leave it out on the last page; take your own cursors back, each for its page.",
  snippet: [
    '-> "params": {}                   <- "result": { "prompts": […], "nextCursor": "50" }',
    '-> "params": { "cursor": "50" }   <- "result": { "prompts": […] }',
  ],
  effect: "shared",
  needs: { walk: paged.prompts },
  faults: pagingFaults("prompts"),
  run: ({ walk }, server) => paging(walk, { noun: "prompts", key: "name" }, server),
});
