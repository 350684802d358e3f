import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { refusedAsInvalid, refusing, sendWithout, withCode, withHttp } from "./_stamp.ts";

const MEMBER = "clientCapabilities";

export default defineCheck({
  id: "lifecycle-meta-client-capabilities-required",
  title: "A request whose _meta lacks clientCapabilities is refused with -32602",
  why: "What a client can do is told with every request and kept nowhere; a server that guesses asks for what its client can't give.",
  fix: "Answer a request whose params._meta has no io.modelcontextprotocol/clientCapabilities with error -32602 (over HTTP with status 400).",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"_meta lacks io.modelcontextprotocol/clientCapabilities"}}',
  ],
  effect: "shared",
  needs: { opening },
  faults: [
    fault("serves requests without clientCapabilities", (server) => {
      server.rules.meta = ["protocolVersion"];
    }),
    fault("takes missing clientCapabilities for missing ones of a kind", withCode(MEMBER, -32021), {
      alsoFails: ["schema-wire-valid"],
    }),
    fault("refuses requests without clientCapabilities with -32600", withCode(MEMBER, -32600)),
    fault("refuses requests without clientCapabilities with -32602 and HTTP 200", withHttp(MEMBER, 200), {
      on: "http",
    }),
    fault(
      "fails with HTTP 500 on requests without clientCapabilities",
      (server) => {
        withCode(MEMBER, -32603)(server);
        withHttp(MEMBER, 500)(server);
      },
      { on: "http" },
    ),
    fault(
      "never answers requests without clientCapabilities",
      refusing(MEMBER, () => undefined),
    ),
  ],
  async run(_, server) {
    return refusedAsInvalid(server, await sendWithout(server, MEMBER), "a request without clientCapabilities");
  },
});
