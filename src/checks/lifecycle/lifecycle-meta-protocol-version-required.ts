import { capabilities } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { own, pinned, refusedAsClaimless, refusing, withCode, withHttp } from "./_stamp.ts";

const MEMBER = "protocolVersion";

export default defineCheck({
  id: "lifecycle-meta-protocol-version-required",
  title: "A request whose _meta lacks protocolVersion is refused with -32602",
  why: "The version is told with every request and kept nowhere; a server that fills it in itself may answer in a form that its client can't read.",
  fix: "Answer a request whose params._meta has no io.modelcontextprotocol/protocolVersion with error -32602 (over HTTP with status 400).",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"_meta lacks io.modelcontextprotocol/protocolVersion"}}',
  ],
  effect: "own",
  uses: "http",
  needs: { capabilities },
  faults: [
    fault("serves requests without protocolVersion", (server) => {
      server.rules.meta = ["clientCapabilities"];
    }),
    fault("fills a missing protocolVersion with its own template's placeholder", (server) => {
      server.rules.meta = ["clientCapabilities"];
      server.edit("server/discover", (result, { params }) => {
        if (at(params, "_meta", own(MEMBER)) === undefined) result["protocolVersion"] = "%params/protocolVersion%";
      });
    }),
    fault("takes a missing protocolVersion for an unsupported one", withCode(MEMBER, -32022)),
    fault("refuses requests without protocolVersion with -32600", withCode(MEMBER, -32600)),
    fault("knows no method without protocolVersion, and no older revision either", withCode(MEMBER, -32601), {
      on: "stdio",
    }),
    fault("takes a missing protocolVersion for one that differs from the header", withCode(MEMBER, -32020), {
      on: "http",
    }),
    fault("refuses requests without protocolVersion with -32602 and HTTP 200", withHttp(MEMBER, 200), { on: "http" }),
    fault(
      "never answers requests without protocolVersion",
      refusing(MEMBER, () => undefined),
    ),
  ],
  async run({ capabilities }, server) {
    await pinned(server, capabilities);
    return refusedAsClaimless(server, MEMBER);
  },
});
