import { capabilities } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { skipped } from "../../model/outcome.ts";
import { page } from "../_bends.ts";
import { onCall, RESULT, refusedCall } from "./_toolless.ts";

const nameless = (name: unknown) => name === undefined;

export default defineCheck({
  id: "error-missing-params",
  title: "tools/call without a tool name is an error",
  why: "A call that names no tool is a mistake of the client's; answered as a success, the mistake stays hidden.",
  fix: "Check the params of tools/call before you look for the tool, and answer error -32602 where the name is missing.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name is missing"}}',
  ],
  effect: "shared",
  needs: { capabilities },
  faults: [
    fault(
      "answers a call without a tool name with an empty result",
      onCall(nameless, () => ({ result: {} })),
      RESULT,
    ),
    fault(
      "answers a call without a tool name as a success",
      onCall(nameless, () => ({ result: { content: [{ type: "text", text: "undefined" }] } })),
      RESULT,
    ),
    fault(
      "never answers a call without a tool name",
      onCall(nameless, () => undefined),
    ),
    fault(
      "breaks down on a call without a tool name",
      (server) =>
        server.gate(({ json }) =>
          at(json, "method") === "tools/call" && nameless(at(json, "params", "name"))
            ? page(500, "name is undefined")
            : undefined,
        ),
      { on: "http" },
    ),
    fault(
      "exits on a call without a tool name",
      (server) => server.before("tools/call", ({ params, die }) => (nameless(params["name"]) ? die() : undefined)),
      { on: "stdio" },
    ),
  ],
  async run({ capabilities }, server) {
    if (capabilities["tools"] === undefined) return skipped("the server does not declare tools");
    const exchange = await server.attributed(await server.send("tools/call", {}), { codes: "any" });
    return refusedCall(exchange, "a call without a tool name");
  },
});
