import * as v from "valibot";
import { negotiated } from "../../facts/opening.ts";
import type { Answer, Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, type JsonObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass } from "../../model/outcome.ts";
import type { RawHttp, Server } from "../../model/session.ts";
import { together } from "../_noting.ts";
import { sight } from "../_sight.ts";
import { initialize, initializing } from "./_era.ts";

/** What older revisions had, and how each is asked here. */
const REMOVED: readonly (readonly [method: string, params: (name: string) => JsonObject])[] = [
  ["ping", () => ({})],
  ["logging/setLevel", () => ({ level: "error" })],
  ["resources/subscribe", (name) => ({ uri: `assay://${name}` })],
  ["resources/unsubscribe", (name) => ({ uri: `assay://${name}` })],
  ["tasks/list", () => ({})],
  ["tasks/result", (name) => ({ taskId: name })],
];

export default defineCheck({
  id: "lifecycle-removed-methods",
  title: "Methods that this revision took out are unknown methods",
  why: "A client that finds one of them answered takes the server for an older one, and waits for news that never come by that way.",
  fix: "Answer ping, logging/setLevel, resources/subscribe, resources/unsubscribe, tasks/list, tasks/result and initialize with error -32601 where params._meta names this revision.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",…}}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
  ],
  effect: "own",
  uses: "http",
  needs: { negotiated },
  params: v.object({ version: v.string() }),
  faults: [
    fault("still answers ping", answering("ping")),
    fault("still takes a log level for later requests", answering("logging/setLevel")),
    fault("still takes subscriptions one by one", answering("resources/subscribe")),
    fault("still ends subscriptions one by one", answering("resources/unsubscribe")),
    fault("still lists tasks", answering("tasks/list", { tasks: [] })),
    fault("still gives the results of tasks", answering("tasks/result", { content: [] })),
    fault(
      "opens sessions for clients that have none",
      answering("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: { name: "mcp-assay-reference", version: "1.0.0" },
      }),
    ),
    fault("opens sessions of this revision by initialize", (server) => {
      const result = { protocolVersion: "2026-07-28", capabilities: {}, serverInfo: { name: "one", version: "1" } };
      server.answer("initialize", (): Answer => ({ result }));
      server.reply((reply, { method, message }) =>
        method === "initialize" ? { jsonrpc: "2.0", id: message.id, result } : reply,
      );
    }),
    fault("never answers ping", (server) => server.answer("ping", () => undefined)),
  ],
  async run({ negotiated }, server) {
    const judged: Outcome[] = [];
    for (const [method, params] of REMOVED) {
      const exchange = await server.attributed(await server.send(method, params(server.unique())), { codes: "any" });
      judged.push(refused(method, exchange));
    }
    const last = await initialized(server, server.params.version, negotiated);
    return together([last, ...judged], `${REMOVED.map(([method]) => method).join(", ")} and initialize refused`);
  },
});

// --- internal ---

function refused(method: string, exchange: Exchange): Outcome {
  const error = rpcError(exchange.reply);
  const status = exchange.http?.status;
  if (error === undefined) {
    return resultOf(exchange.reply) === undefined && (status ?? 200) >= 400
      ? pass(sight(exchange), `${method} is refused by status alone`, exchange)
      : fail(`an error for ${method}, which this revision took out`, sight(exchange), exchange);
  }
  const usual = error.code === -32601 && (status ?? 404) === 404;
  const expected = `error -32601${status === undefined ? "" : " (HTTP 404)"}`;
  return pass(sight(exchange), usual ? undefined : `${method}: ${sight(exchange)} in place of ${expected}`, exchange);
}

/** Any refusal will do; and a server that opens older sessions, too, may as well open one here. */
async function initialized(server: Server & RawHttp, version: string, negotiated: string): Promise<Outcome> {
  const exchange = await server.attributed(await server.send("initialize", initializing(version)), { codes: "any" });
  if (resultOf(exchange.reply) === undefined) return pass(sight(exchange), undefined, exchange);
  const plain = await initialize(server, version);
  if (resultOf(plain.reply) === undefined) {
    return fail("an error for initialize, which is refused without _meta", sight(exchange), exchange, plain);
  }
  // Section changelog: initialize is gone from this revision, so no session of it can be opened.
  return at(resultOf(plain.reply), "protocolVersion") === negotiated
    ? fail(`an error for initialize, which is no way into ${negotiated}`, `a session of ${negotiated}`, exchange, plain)
    : pass(sight(exchange), "initialize opens a session of an older revision (dual-era)", exchange, plain);
}

function answering(method: string, result: object = {}): (server: Bendable) => void {
  return (server) => server.answer(method, (): Answer => ({ result }));
}
