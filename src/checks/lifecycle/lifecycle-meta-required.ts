import { capabilities } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { pinned, refusedAsClaimless, refusing, withCode, withHttp } from "./_stamp.ts";

export default defineCheck({
  id: "lifecycle-meta-required",
  title: "A request without _meta is refused with -32602",
  why: "Nothing but _meta says in which revision a request is meant and what its client can do; a server that guesses both answers some clients wrongly.",
  fix: "Look for params._meta before anything else, and answer a request without it with error -32602 (over HTTP with status 400).",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta is missing"}}',
  ],
  effect: "own",
  uses: "http",
  needs: { capabilities },
  faults: [
    fault(
      "serves requests without _meta",
      (server) => {
        server.rules.meta = [];
      },
      {
        alsoFails: ["lifecycle-meta-protocol-version-required", "lifecycle-meta-client-capabilities-required"],
      },
    ),
    fault("refuses requests without _meta with -32600", withCode(undefined, -32600)),
    fault("takes a request without _meta for one of an unsupported version", withCode(undefined, -32022)),
    fault("knows no method without _meta, and no older revision either", withCode(undefined, -32601), {
      on: "stdio",
    }),
    fault("refuses requests without _meta with -32602 and HTTP 200", withHttp(undefined, 200), { on: "http" }),
    fault(
      "fails with HTTP 500 on requests without _meta",
      (server) => {
        withCode(undefined, -32603)(server);
        withHttp(undefined, 500)(server);
      },
      { on: "http" },
    ),
    fault(
      "never answers requests without _meta",
      refusing(undefined, () => undefined),
      { alsoFails: ["stdio-framing"] },
    ),
    fault(
      "exits on a request without _meta",
      (server) =>
        server.before("*", ({ message, params, die }) =>
          message.id !== undefined && at(params, "_meta") === undefined ? die() : undefined,
        ),
      { on: "stdio", alsoFails: ["stdio-framing"] },
    ),
  ],
  async run({ capabilities }, server) {
    await pinned(server, capabilities);
    return refusedAsClaimless(server);
  },
});
