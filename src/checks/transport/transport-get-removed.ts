import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { page } from "../_bends.ts";
import { removed, removedFaults } from "./_removed.ts";

export default defineCheck({
  id: "transport-get-removed",
  title: "GET on the endpoint of a modern-only server is answered with 405",
  why: "A client of older revisions opens a stream by GET; only 405 tells it that there is none, and on anything else it tries again and again.",
  fix: "Answer GET on the MCP endpoint with HTTP 405 and Allow: POST.",
  snippet: ["-> GET /mcp", "   Accept: text/event-stream", "<- HTTP/1.1 405 Method Not Allowed", "   Allow: POST"],
  effect: "own",
  uses: "http",
  needs: { opening },
  faults: removedFaults("GET", page(200, ": listening\n\n", "text/event-stream")),
  run: ({ opening }, server) => removed(opening, server, { method: "GET" }),
});
