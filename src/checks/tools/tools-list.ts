import { walks } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { listing } from "../_listing.ts";
import { listingFaults } from "../_listing-faults.ts";

export default defineCheck({
  id: "tools-list",
  title: "tools/list gives an array of tools on every page",
  why: "The list is how a client learns what it may call; one entry that is no object can make it drop all the others.",
  fix: "Answer tools/list with { tools: [ … ] }, each entry an object; an empty array is fine.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}}',
  ],
  effect: "shared",
  needs: { walk: walks.tools },
  faults: [
    ...listingFaults({
      noun: "tools",
      entries: ["tools-schema", "security-tool-schema-defined"],
      pages: "tools-pagination",
    }),
    // A short write to a full pipe that nobody looked at.
    fault(
      "loses all of its tools/list beyond 64 KiB",
      (server) => {
        server.put("tools/list", ["tools", 0, "description"], "x".repeat(66_000));
        server.stdout((line) => (line.length > 65_536 ? line.slice(0, 65_536) : line));
      },
      { on: "stdio", alsoFails: ["stdio-framing"] },
    ),
  ],
  run: ({ walk }, server) => listing(walk, { noun: "tools" }, server),
});
