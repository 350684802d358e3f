import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { headerFaults, isStamped, probe, refused, VERSION, versionIn } from "./_header.ts";

export default defineCheck({
  id: "transport-header-version-mismatch",
  title: "An MCP-Protocol-Version that differs from _meta is refused with 400 and -32020",
  why: "What stands before the server believes the header and the server the body; where the two may differ, one of them can be deceived.",
  fix: "Compare MCP-Protocol-Version with _meta io.modelcontextprotocol/protocolVersion as exact text, before you look whether you support it.",
  snippet: [
    'const told = params._meta["io.modelcontextprotocol/protocolVersion"];',
    'if (request.headers["mcp-protocol-version"] !== told)',
    '  return refuse(400, { code: -32020, message: "MCP-Protocol-Version differs from _meta" });',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: headerFaults({
    what: "a request whose MCP-Protocol-Version differs from its body",
    odd: (request) => {
      const named = request.headers["mcp-protocol-version"];
      return isStamped(request) && named !== undefined && named !== versionIn(request.json);
    },
    mend(headers, { json }) {
      headers["mcp-protocol-version"] = versionIn(json);
    },
    codes: [-32022, -32602],
  }),
  async run(_, server) {
    const message = server.compose();
    const odd = {
      what: `${VERSION}: ${OTHER} and ${versionIn(message)} in _meta`,
      headers: { set: { [VERSION]: OTHER } },
      message,
    };
    return refused(odd, await probe(server, odd));
  },
});

// --- internal ---

/** One that the server may even support: that the two differ is the defect. */
const OTHER = "2025-11-25";
