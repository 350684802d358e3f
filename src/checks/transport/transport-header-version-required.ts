import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { resultOf } from "../../model/message.ts";
import { skipped } from "../../model/outcome.ts";
import { headerFaults, isStamped, probe, refused, VERSION, versionIn } from "./_header.ts";
import { HEADERLESS, initialize } from "./_legacy.ts";

export default defineCheck({
  id: "transport-header-version-required",
  title: "A request without MCP-Protocol-Version is refused with 400 and -32020",
  why: "Gateways route by that header without reading the body; a server that serves requests without it lets them past whatever was meant to see them.",
  fix: "Answer a request that lacks MCP-Protocol-Version with HTTP 400 and error -32020, unless you serve clients of 2025-03-26, too.",
  snippet: [
    '-> (no MCP-Protocol-Version) {"jsonrpc":"2.0","id":1,"method":"tools/list",…}',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"MCP-Protocol-Version is missing"}}',
  ],
  effect: "own",
  uses: "http",
  needs: { opening },
  faults: headerFaults({
    what: "a request without MCP-Protocol-Version",
    odd: (request) => isStamped(request) && request.headers["mcp-protocol-version"] === undefined,
    mend(headers, { json }) {
      headers["mcp-protocol-version"] = versionIn(json);
    },
    codes: [-32600, -32022],
  }),
  async run(_, server) {
    const odd = { what: `no ${VERSION}`, headers: { drop: [VERSION] }, message: server.compose() };
    const exchange = await probe(server, odd);
    // Section basic/transports/streamable-http#protocol-version-header: it may then be taken for one of that revision.
    if (resultOf(exchange.reply) !== undefined) {
      const { negotiated } = await initialize(server, HEADERLESS);
      if (negotiated !== undefined && negotiated <= HEADERLESS) {
        return skipped(`the server also speaks ${negotiated}, whose requests have no ${VERSION}`);
      }
    }
    return refused(odd, exchange);
  },
});
