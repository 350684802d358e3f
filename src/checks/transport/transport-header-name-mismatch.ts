import { capabilities } from "../../facts/opening.ts";
import type { HttpRequestView } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { type Outcome, skipped } from "../../model/outcome.ts";
import { together } from "../_noting.ts";
import { headerFaults, isStamped, methodIn, NAME, probe, refused } from "./_header.ts";
import { nameables } from "./_nameable.ts";

export default defineCheck({
  id: "transport-header-name-mismatch",
  title: "An Mcp-Name that differs from the body is refused with 400 and -32020",
  why: "A gateway that allows one tool by the header must not let a call of another through that hides in the body.",
  fix: "On tools/call and prompts/get compare Mcp-Name with params.name, on resources/read with params.uri; answer a difference with HTTP 400 and error -32020 before anything runs.",
  snippet: [
    "-> Mcp-Name: read_notes",
    '   {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_notes",…}}',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Mcp-Name differs from params.name"}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { capabilities },
  faults: [
    ...headerFaults({
      what: "a request whose Mcp-Name differs from its body",
      odd: isOdd,
      mend: mended,
      codes: [-32600, -32602],
    }),
    ...["resources/read", "tools/call"].map((method) =>
      fault(`compares Mcp-Name with the body, except on ${method}`, (server) =>
        server.incoming((headers, request) => {
          if (isOdd(request) && methodIn(request.json) === method) mended(headers, request);
        }),
      ),
    ),
  ],
  async run({ capabilities }, server) {
    // Servers compare the header method by method, and forget it for one of them: each is tried once.
    const judged = new Map<string, Outcome>();
    for await (const { method, params } of nameables(capabilities, server)) {
      if (judged.has(method)) continue;
      const right = () => server.send(method, params);
      // Where the right request is refused as well, the refusal of the odd one would not show its reason.
      if (resultOf((await right()).reply) === undefined) continue;
      const odd = {
        what: `${NAME}: ${OTHER} on ${method}`,
        headers: { set: { [NAME]: OTHER } },
        message: server.compose(method, params),
      };
      judged.set(method, refused(odd, await probe(server, odd, { sibling: right })));
    }
    const [first, ...rest] = judged.values();
    return first === undefined
      ? skipped("no prompt, resource or read-only tool is served that could be named")
      : together([first, ...rest], `HTTP 400 with error -32020 for another name on ${[...judged.keys()].join(", ")}`);
  },
});

// --- internal ---

const OTHER = "mcp-mismatch";

function isOdd(request: HttpRequestView): boolean {
  return isStamped(request) && request.headers["mcp-name"] === OTHER && at(request.json, "params", "name") !== OTHER;
}

function mended(headers: Record<string, string | undefined>, { json }: HttpRequestView): void {
  headers["mcp-name"] = String(at(json, "params", "name") ?? at(json, "params", "uri"));
}
