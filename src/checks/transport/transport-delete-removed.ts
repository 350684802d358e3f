import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { page } from "../_bends.ts";
import { removed, removedFaults } from "./_removed.ts";

export default defineCheck({
  id: "transport-delete-removed",
  title: "DELETE on the endpoint of a modern-only server is answered with 405",
  why: "There are no sessions to end any more; a server that takes the request makes a client of older revisions believe that it had one.",
  fix: "Answer DELETE on the MCP endpoint with HTTP 405 and Allow: POST.",
  snippet: ["-> DELETE /mcp", "<- HTTP/1.1 405 Method Not Allowed", "   Allow: POST"],
  effect: "own",
  uses: "http",
  needs: { opening },
  faults: removedFaults("DELETE", page(204, "", "")),
  run: ({ opening }, server) =>
    removed(opening, server, { method: "DELETE", set: { "Mcp-Session-Id": server.unique() } }),
});
