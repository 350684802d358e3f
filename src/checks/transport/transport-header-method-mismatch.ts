import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { jsonPage } from "../_bends.ts";
import { headerFaults, isStamped, METHOD, methodIn, probe, refused } from "./_header.ts";

export default defineCheck({
  id: "transport-header-method-mismatch",
  title: "An Mcp-Method that differs from the body is refused with 400 and -32020",
  why: "A gateway that allows tools/list by the header must not let a tools/call through that hides in the body.",
  fix: "Compare Mcp-Method with the method of the body, letter case included, and answer a difference with HTTP 400 and error -32020.",
  snippet: [
    "-> Mcp-Method: tools/list",
    '   {"jsonrpc":"2.0","id":1,"method":"tools/call",…}',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Mcp-Method is tools/list, the body says tools/call"}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    ...headerFaults({
      what: "a request whose Mcp-Method differs from its body",
      odd: (request) => isOdd(request),
      mend(headers, { json }) {
        headers["mcp-method"] = methodIn(json);
      },
      codes: [-32600, -32601],
    }),
    fault(
      "does what Mcp-Method says and not what the body says",
      (server) =>
        server.gate((request) =>
          isOdd(request)
            ? jsonPage(200, {
                jsonrpc: "2.0",
                id: at(request.json, "id"),
                result: { resultType: "complete", tools: [] },
              })
            : undefined,
        ),
      { alsoFails: ["schema-wire-valid"] },
    ),
  ],
  async run(_, server) {
    const message = server.compose();
    const odd = {
      what: `${METHOD}: ${OTHER} on ${methodIn(message)}`,
      headers: { set: { [METHOD]: OTHER } },
      message,
    };
    return refused(odd, await probe(server, odd));
  },
});

// --- internal ---

const OTHER = "tools/list";

function isOdd(request: Parameters<typeof isStamped>[0]): boolean {
  const named = request.headers["mcp-method"];
  return isStamped(request) && named !== undefined && named !== methodIn(request.json);
}
