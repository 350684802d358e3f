import { opened } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { settled } from "../_refusal.ts";

const bare = (status: number) => (server: Parameters<Parameters<typeof fault>[1]>[0]) =>
  server.gate(({ method }) => (method === "POST" ? { status, headers: [] } : undefined));

export default defineCheck({
  id: "transport-post",
  title: "The endpoint answers POST with a JSON-RPC message",
  why: "Every message of a client reaches the server by POST to this one address; if POST does not work, nothing does.",
  fix: "Route POST on the MCP endpoint's path to your transport, without a redirect, and answer with JSON-RPC.",
  snippet: ['app.post("/mcp", handler); // the very path that clients are given, with no redirect to /mcp/'],
  effect: "shared",
  uses: "http",
  needs: { opened },
  faults: [
    fault("answers POST with 405", bare(405)),
    fault("answers POST with a redirect", (server) =>
      server.gate(({ method }) => (method === "POST" ? { status: 307, headers: [["Location", "/mcp/"]] } : undefined)),
    ),
    fault(
      "answers POST with an HTML page",
      (server) =>
        server.gate(({ method }) =>
          method === "POST"
            ? { status: 200, headers: [["Content-Type", "text/html"]], body: "<h1>Hello</h1>" }
            : undefined,
        ),
      { alsoFails: ["transport-content-type"] },
    ),
    fault("answers POST with 500 and no message", bare(500), {
      alsoFails: ["lifecycle-init", "lifecycle-discover", "security-auth-required"],
    }),
    fault("has no route for POST", bare(404)),
    fault("takes each POST and answers nothing", bare(202)),
  ],
  async run({ opened: { exchange } }, server) {
    await server.attributed(settled(exchange), { codes: "any", sibling: async () => exchange });
    const status = exchange.http?.status ?? 0;
    const message = exchange.received.some((each) => each.message?.jsonrpc !== undefined);
    if (!message) return fail("a JSON-RPC message in answer to POST", `HTTP ${status} without one`, exchange);
    if (status >= 200 && status < 300) return pass(`HTTP ${status} with a JSON-RPC message`, undefined, exchange);
    return pass(
      `a JSON-RPC message`,
      `it came with HTTP ${status}; POST works, and the opening row judges the rest`,
      exchange,
    );
  },
});
