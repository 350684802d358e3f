import { walks } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { listing } from "../_listing.ts";
import { listingFaults } from "../_listing-faults.ts";

export default defineCheck({
  id: "resources-list",
  title: "resources/list gives an array of resources on every page",
  why: "A client that sees the resources capability asks for the list at once; an error there can cost it the whole server.",
  fix: "Answer resources/list with { resources: [ … ] }, each entry an object (an empty array is fine), or stop declaring resources.",
  snippet: ['<- {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"file:///notes/1.md","name":"1.md"}]}}'],
  effect: "shared",
  needs: { walk: walks.resources },
  faults: listingFaults({ noun: "resources", entries: ["resources-schema"], pages: "resources-pagination" }),
  run: ({ walk }, server) => listing(walk, { noun: "resources" }, server),
});
