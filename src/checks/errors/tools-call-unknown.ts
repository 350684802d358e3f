import { capabilities } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { rpcError } from "../../model/message.ts";
import { fail, skipped } from "../../model/outcome.ts";
import { page } from "../_bends.ts";
import { sight } from "../_sight.ts";
import { onCall, RESULT, refusedCall } from "./_toolless.ts";

const unknown = (name: unknown) => typeof name === "string" && name.startsWith("assay-");

export default defineCheck({
  id: "tools-call-unknown",
  title: "Calling a tool that does not exist is an error",
  why: "Models invent tool names; an answer that looks like a success makes them believe that something was done.",
  fix: "Answer tools/call for a name you don't have with error -32602; -32601 would say that tools/call itself is missing.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no-such-tool","arguments":{}}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: no-such-tool"}}',
  ],
  effect: "shared",
  needs: { capabilities },
  faults: [
    fault(
      "answers an unknown tool with a result",
      onCall(unknown, () => ({ result: { content: [{ type: "text", text: "done" }] } })),
      RESULT,
    ),
    fault(
      "answers an unknown tool with an empty result",
      onCall(unknown, () => ({ result: { content: [] } })),
      RESULT,
    ),
    fault(
      "reports an unknown tool as a success with isError false",
      onCall(unknown, () => ({ result: { content: [{ type: "text", text: "unknown tool" }], isError: false } })),
      RESULT,
    ),
    fault(
      "answers an unknown tool as an unknown method",
      onCall(unknown, () => ({ error: { code: -32601, message: "unknown tool" } })),
    ),
    fault(
      "never answers a call of an unknown tool",
      onCall(unknown, () => undefined),
    ),
    fault(
      "breaks down on an unknown tool",
      (server) =>
        server.gate(({ body }) =>
          /"tools\/call".*"name":"assay-/.test(body) ? page(500, "tool is undefined") : undefined,
        ),
      { on: "http" },
    ),
    fault(
      "exits on a call of an unknown tool",
      (server) => server.before("tools/call", ({ params, die }) => (unknown(params["name"]) ? die() : undefined)),
      { on: "stdio" },
    ),
  ],
  async run({ capabilities }, server) {
    if (capabilities["tools"] === undefined) return skipped("the server does not declare tools");
    const asked = await server.send("tools/call", { name: server.unique(), arguments: {} });
    const exchange = await server.attributed(asked, { codes: "any" });
    return rpcError(exchange.reply)?.code === -32601
      ? fail("another error than that of an unknown method", sight(exchange), exchange)
      : refusedCall(exchange, "an unknown tool");
  },
});
