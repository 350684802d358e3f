import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { headerFaults, isStamped, METHOD, methodIn, probe, refused } from "./_header.ts";

export default defineCheck({
  id: "transport-header-method-required",
  title: "A request without Mcp-Method is refused with 400 and -32020",
  why: "Gateways meter and allow methods by that header; a server that serves requests without it makes their rules optional.",
  fix: "Answer a request that lacks Mcp-Method with HTTP 400 and error -32020.",
  snippet: [
    '-> (no Mcp-Method) {"jsonrpc":"2.0","id":1,"method":"tools/list",…}',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Mcp-Method is missing"}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: headerFaults({
    what: "a request without Mcp-Method",
    odd: (request) => isStamped(request) && request.headers["mcp-method"] === undefined,
    mend(headers, { json }) {
      headers["mcp-method"] = methodIn(json);
    },
    codes: [-32600],
  }),
  async run(_, server) {
    const odd = { what: `no ${METHOD}`, headers: { drop: [METHOD] }, message: server.compose() };
    return refused(odd, await probe(server, odd));
  },
});
