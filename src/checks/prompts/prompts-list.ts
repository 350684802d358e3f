import { walks } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { listing } from "../_listing.ts";
import { listingFaults } from "../_listing-faults.ts";

export default defineCheck({
  id: "prompts-list",
  title: "prompts/list gives an array of prompts on every page",
  why: "A client that sees the prompts capability asks for the list at once; without it no prompt can be offered to a user.",
  fix: "Answer prompts/list with { prompts: [ … ] }, each entry an object (an empty array is fine), or stop declaring prompts.",
  snippet: [
    '<- {"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]}]}}',
  ],
  effect: "shared",
  needs: { walk: walks.prompts },
  faults: listingFaults({ noun: "prompts", entries: ["prompts-schema"], pages: "prompts-pagination" }),
  run: ({ walk }, server) => listing(walk, { noun: "prompts" }, server),
});
