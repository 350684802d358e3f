import { opening } from "../../facts/opening.ts";
import type { HttpRequestView } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { blocked, fail, pass } from "../../model/outcome.ts";
import { jsonPage, page } from "../_bends.ts";
import { sight } from "../_sight.ts";
import { METHOD, methodIn, probe, VERSION, versionIn } from "./_header.ts";

export default defineCheck({
  id: "transport-header-case-insensitive",
  title: "Header names are read whatever their letter case",
  why: "HTTP header names have no letter case; HTTP/2 and many clients and proxies write them all in lower case.",
  fix: "Look headers up by a name in lower case, or through your framework's header type, never in a plain map of the names as they came.",
  snippet: [
    'request.headers["mcp-method"]; // node: lower case, whatever came',
    'request.headers.get("Mcp-Method") // fetch, Go, Starlette: any case',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  faults: [
    deafTo("lower", VERSION.toLowerCase()),
    deafTo("lower", METHOD.toLowerCase()),
    deafTo("upper", VERSION.toUpperCase()),
    deafTo("upper", METHOD.toUpperCase()),
    fault("breaks down on header names in upper case", (server) =>
      server.gate(({ names }) => (names.includes(METHOD.toUpperCase()) ? page(500, "no such header") : undefined)),
    ),
  ],
  async run(_, server) {
    const ask = (change: (name: string) => string): Promise<Exchange> => {
      const message = server.compose();
      const set = { [change(VERSION)]: versionIn(message) ?? "", [change(METHOD)]: methodIn(message) ?? "" };
      return probe(server, { what: "", headers: { set }, message }, { raw: true });
    };
    const lower = await ask((name) => name.toLowerCase());
    const upper = await ask((name) => name.toUpperCase());
    const odd = [lower, upper].find((each) => resultOf(each.reply) === undefined);
    if (odd === undefined) return pass("served with names in lower and in upper case", undefined, lower, upper);
    const usual = await ask((name) => name);
    if (resultOf(usual.reply) === undefined) {
      return blocked("the same request with the usual names is refused, too", undefined, usual, odd);
    }
    const which = odd === lower ? "lower" : "upper";
    return fail(`a result for header names in ${which} case`, sight(odd), odd, usual);
  },
});

// --- internal ---

function deafTo(which: string, name: string): Fault {
  const odd = ({ names }: HttpRequestView) => names.includes(name);
  return fault(`does not read ${name}, whose letters are all ${which} case`, (server) =>
    server.gate((request) =>
      odd(request)
        ? jsonPage(400, {
            jsonrpc: "2.0",
            id: at(request.json, "id"),
            error: { code: -32020, message: `${name} is missing` },
          })
        : undefined,
    ),
  );
}
