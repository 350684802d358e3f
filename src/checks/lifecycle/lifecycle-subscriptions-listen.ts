import { capabilities } from "../../facts/opening.ts";
import type { Bendable, Draft, Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange, Received } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject, kindOf, same } from "../../model/json.ts";
import { isResponse, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { sight } from "../_sight.ts";
import { shown } from "./_echo.ts";
import { type Filter, filterFor, offersChanges, unasked } from "./_filter.ts";
import { own } from "./_stamp.ts";

const LISTEN = "subscriptions/listen";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

export default defineCheck({
  id: "lifecycle-subscriptions-listen",
  title: "A subscription is acknowledged first, under its id and for no more than was asked",
  why: "The acknowledgement tells the client what it will hear of, and under which id; without it the client waits for news that may never come.",
  fix: "Answer subscriptions/listen first with notifications/subscriptions/acknowledged: _meta with io.modelcontextprotocol/subscriptionId (the request's id as it is) and notifications (the part of the filter that you honour).",
  snippet: [
    '-> {"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}',
    '<- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":5},"notifications":{"toolsListChanged":true}}}',
  ],
  effect: "own",
  needs: { capabilities },
  faults: [
    fault("declares changes and knows no subscriptions/listen", (server) =>
      server.answer(LISTEN, () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault("refuses subscriptions to the changes that it declares", (server) =>
      server.answer(LISTEN, () => ({ error: { code: -32602, message: "not that one" } })),
    ),
    fault("ends subscriptions without having acknowledged them", (server) =>
      server.answer(LISTEN, ({ message }) => ({ result: { _meta: { [own("subscriptionId")]: message.id } } })),
    ),
    fault(
      "tells of changes before it acknowledges the subscription",
      acknowledging((ack, { notify }) => {
        notify("notifications/tools/list_changed", { _meta: ack["_meta"] });
        return ack;
      }),
    ),
    fault(
      "acknowledges subscriptions without an id",
      acknowledging(({ notifications }) => ({ notifications })),
    ),
    fault(
      "acknowledges subscriptions under their id as a text",
      acknowledging((ack, { message }) => ({ ...ack, _meta: { [own("subscriptionId")]: String(message.id) } })),
    ),
    fault(
      "acknowledges subscriptions without what they are for",
      acknowledging(({ _meta }) => ({ _meta })),
      { alsoFails: ["schema-wire-valid"] },
    ),
    fault(
      "acknowledges kinds of changes that nobody asked for",
      acknowledging((ack) => ({ ...ack, notifications: { toolsListChanged: true, everythingChanged: true } })),
    ),
    fault(
      "acknowledges resources that nobody asked for",
      acknowledging((ack) => ({ ...ack, notifications: { resourceSubscriptions: ["assay://notes/second"] } })),
    ),
    fault("never acknowledges subscriptions", (server) => server.answer(LISTEN, () => undefined)),
    fault("exits when it is to listen", (server) => server.before(LISTEN, ({ die }) => die()), {
      on: "stdio",
      // It listens for the announcement that would excuse a change.
      alsoFails: ["security-tool-rug-pull"],
    }),
  ],
  async run({ capabilities }, server) {
    const filter = await filterFor(capabilities, server);
    // Long enough for nearly all; the slow are asked once more with all the time that a request has.
    const quick = await listen(server, filter, server.quiet);
    const heard = quick.first === undefined && quick.exchange.end === "timeout" ? await listen(server, filter) : quick;
    return judge(server, heard, filter, offersChanges(capabilities));
  },
});

// --- internal ---

interface Heard {
  readonly exchange: Exchange;
  readonly id: unknown;
  readonly first: Received | undefined;
}

async function listen(server: Server, filter: Filter, timeout?: number): Promise<Heard> {
  const known = server.heard().length;
  const exchange = await server.send(LISTEN, { notifications: filter }, timeout === undefined ? {} : { timeout });
  const id = exchange.request?.id;
  const beside = server.heard().slice(known);
  if (server.transport === "stdio" && exchange.end === "timeout") {
    await server.notify("notifications/cancelled", typeof id === "number" ? { requestId: id } : {});
  }
  // Over HTTP all that comes on the stream is the subscription's; on stdout other messages stand between.
  const first =
    server.transport === "http" ? exchange.received[0] : [...beside, ...exchange.received].find((one) => isOf(one, id));
  return { exchange, id, first };
}

/** Whether a line belongs to the subscription; an acknowledgement without any id can be of no other. */
function isOf({ message }: Received, id: unknown): boolean {
  if (message === undefined) return false;
  if (isResponse(message)) return same(message.id, id);
  const named = at(message.params, "_meta", own("subscriptionId"));
  return named === undefined ? message.method === ACKNOWLEDGED : String(named) === String(id);
}

async function judge(
  server: Server,
  { exchange, id, first }: Heard,
  filter: Filter,
  declared: boolean,
): Promise<Outcome> {
  const message = first?.message;
  if (message === undefined || isResponse(message)) {
    await server.attributed(exchange, { codes: "any" });
    const code = rpcError(message)?.code;
    // An error breaks the rule only while something is declared that one could listen to.
    if (code !== undefined && !declared) {
      return skipped(`no change is declared, and subscriptions/listen is refused (error ${code})`);
    }
    return fail(`${ACKNOWLEDGED} as the first message`, sight(exchange), exchange);
  }
  if (message.method !== ACKNOWLEDGED) {
    const actual = typeof message.method === "string" ? message.method.slice(0, 80) : "a message without a method";
    return fail(`${ACKNOWLEDGED} as the first message`, actual, exchange);
  }
  const named = at(message.params, "_meta", own("subscriptionId"));
  if (!same(named, id))
    return fail(`the subscriptionId ${shown(id)}`, named === undefined ? "none" : shown(named), exchange);
  const honoured = at(message.params, "notifications");
  if (!isObject(honoured)) return fail("an object notifications in it", kindOf(honoured), exchange);
  const odd = unasked(honoured, filter);
  if (odd !== undefined) return fail("nothing honoured beyond what was asked for", odd, exchange);
  const names = Object.keys(honoured).map((name) => name.slice(0, 40));
  return pass(
    `acknowledged under its id: ${names.length === 0 ? "nothing honoured" : names.join(", ")}`,
    undefined,
    exchange,
  );
}

/** A bend of what the acknowledgement says. */
function acknowledging(how: (ack: Draft, serving: Serving) => Draft): (server: Bendable) => void {
  return (server) =>
    server.answer(LISTEN, async (serving) => {
      const _meta = { [own("subscriptionId")]: serving.message.id };
      serving.notify(ACKNOWLEDGED, how({ _meta, notifications: serving.params["notifications"] }, serving));
      await serving.cancelled;
      return { result: { _meta } };
    });
}
