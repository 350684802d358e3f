import { lists } from "../../facts/lists.ts";
import { subscribing } from "../../facts/resources.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { cap } from "../../text/escape.ts";
import { sight } from "../_sight.ts";
import { urisOf } from "./_uris.ts";

export default defineCheck({
  id: "resources-subscribe",
  title: "A listed resource can be subscribed to and unsubscribed from",
  why: "A client that sees the subscribe capability counts on being told of changes; an error leaves it with old contents.",
  fix: "Answer resources/subscribe and resources/unsubscribe with an empty result, or stop declaring resources.subscribe.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///notes/1.md"}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{}}',
  ],
  effect: "own",
  needs: { subscribing, list: lists.resources },
  faults: [...faultsOf("resources/subscribe"), ...faultsOf("resources/unsubscribe")],
  async run({ list }, server) {
    const uri = urisOf(list)[0];
    if (uri === undefined) return skipped("no resource is listed");
    return worst(await ask(server, "resources/subscribe", uri), await ask(server, "resources/unsubscribe", uri));
  },
});

// --- internal ---

function faultsOf(method: string): readonly [Fault, ...Fault[]] {
  return [
    fault(`declares subscribe and knows no ${method}`, (server) =>
      server.answer(method, () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault(`refuses ${method} for a listed resource`, (server) =>
      server.answer(method, () => ({ error: { code: -32602, message: "no such resource" } })),
    ),
    fault(`answers ${method} with a payload`, (server) => server.put(method, ["subscribed"], true)),
    fault(`answers ${method} with true`, (server) => server.edit(method, () => true)),
    fault(`never answers ${method}`, (server) => server.answer(method, () => undefined)),
  ];
}

async function ask(server: Server, method: string, uri: string): Promise<Outcome> {
  const exchange = await server.request(method, { uri });
  const result = resultOf(exchange.reply);
  const wanted = `an empty result of ${method}`;
  if (!isObject(result)) return fail(wanted, `${sight(exchange)} for ${cap(uri, 60)}`, exchange);
  const extra = Object.keys(result).filter((key) => key !== "_meta");
  if (extra.length > 0) return fail(wanted, `a result with ${cap(extra.join(", "), 60)}`, exchange);
  return pass("empty results of both", undefined, exchange);
}
