import { walks } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { listing } from "../_listing.ts";

export default defineCheck({
  id: "tools-list",
  title: "tools/list gives an array of tools on every page",
  why: "The list is how a client learns what it may call; one entry that is no object can make it drop all the others.",
  fix: "Answer tools/list with { tools: [ … ] }, each entry an object; an empty array is fine.",
  effect: "shared",
  needs: { walk: walks.tools },
  faults: [
    fault("declares tools and knows no tools/list", (server) =>
      server.answer("tools/list", () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault("lists its tools as an object", (server) => server.put("tools/list", ["tools"], { echo: {} })),
    fault("lists null among its tools", (server) => server.put("tools/list", ["tools", 0], null), {
      alsoFails: ["tools-schema", "security-tool-schema-defined"],
    }),
    fault(
      "gives no array on the second page",
      (server) =>
        server.edit("tools/list", (result, { params }) => {
          if (params["cursor"] !== undefined) delete result["tools"];
        }),
      { alsoFails: ["tools-pagination"] },
    ),
  ],
  run: async ({ walk }) => listing(walk, "tools"),
});
