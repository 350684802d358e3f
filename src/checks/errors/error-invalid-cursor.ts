import { capabilities } from "../../facts/opening.ts";
import type { Bendable, Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, kindOf } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { page } from "../_bends.ts";
import { sight } from "../_sight.ts";

const LISTS = [
  { capability: ["tools"], method: "tools/list", key: "tools" },
  { capability: ["resources"], method: "resources/list", key: "resources" },
  { capability: ["resources"], method: "resources/templates/list", key: "resourceTemplates" },
  { capability: ["prompts"], method: "prompts/list", key: "prompts" },
] as const;

/** What judges the shape of results. */
const RESULT = { alsoFails: ["schema-result-type", "schema-wire-valid"] };
const GARBAGE = "mcp-invalid-";

export default defineCheck({
  id: "error-invalid-cursor",
  title: "A cursor that the server never gave out is an error",
  why: "A client with a cursor that has expired must learn so; given the first page again it goes round in circles or counts twice.",
  fix: "Check each cursor that comes in, and answer error -32602 for one that is not yours or has expired.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"never-given"}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid cursor"}}',
  ],
  effect: "shared",
  needs: { capabilities },
  faults: [
    fault(
      "gives the first page for any cursor it doesn't know",
      onGarbage("tools/list", (params) => void delete params["cursor"]),
    ),
    fault("gives an empty page for a cursor it doesn't know", empty("resources/list", { resources: [] }), RESULT),
    fault("gives no page for a cursor it doesn't know", empty("tools/list", {}), RESULT),
    fault("gives null for a cursor it doesn't know", empty("prompts/list", { prompts: null }), RESULT),
    fault(
      "breaks down on a cursor it doesn't know",
      (server) => server.gate(({ body }) => (body.includes(GARBAGE) ? page(500, "bad cursor") : undefined)),
      { on: "http" },
    ),
    fault("never answers for a cursor it doesn't know", (server) =>
      server.reply((reply, { params }) => (isGarbage(params) ? undefined : reply)),
    ),
    fault(
      "exits on a cursor it doesn't know",
      (server) => server.before("*", ({ params, die }) => (isGarbage(params) ? die() : undefined)),
      { on: "stdio" },
    ),
  ],
  async run({ capabilities }, server) {
    const declared = LISTS.filter(({ capability }) => at(capabilities, ...capability) !== undefined);
    const judged: Outcome[] = [];
    for (const { method, key } of declared) judged.push(await judge(server, method, key));
    const [first, ...rest] = judged;
    return first === undefined ? skipped("no list is declared") : worst(first, ...rest);
  },
});

// --- internal ---

async function judge(server: Server, method: string, key: string): Promise<Outcome> {
  const plain = await server.send(method);
  // A list that gives nothing is judged by its own row; templates may well be unknown.
  if (!Array.isArray(at(resultOf(plain.reply), key))) return skipped(`${method} gives no list to compare with`);
  const exchange = await server.attributed(await server.send(method, { cursor: `${GARBAGE}${server.unique()}` }), {
    codes: "any",
    sibling: () => server.send(method),
  });
  const error = rpcError(exchange.reply);
  if (error !== undefined) {
    const note =
      error.code === -32602 ? undefined : `${method} answers with ${sight(exchange)}; the code for it is -32602`;
    return pass(`error ${error.code}`, note, exchange);
  }
  const result = resultOf(exchange.reply);
  const items = at(result, key);
  if (!Array.isArray(items)) {
    return fail(
      `error -32602 from ${method}`,
      result === undefined ? sight(exchange) : `${kindOf(items)} for ${key}`,
      exchange,
    );
  }
  if (typeof at(resultOf(plain.reply), "nextCursor") !== "string") {
    return skipped("no list ever gave out a cursor, and each answers with its ordinary page");
  }
  return fail(`error -32602 from ${method}, which gives out cursors`, `a page of ${items.length}`, exchange, plain);
}

const isGarbage = (params: Draft): boolean => String(params["cursor"]).startsWith(GARBAGE);

function onGarbage(method: string, how: (params: Draft) => void): (server: Bendable) => void {
  return (server) => server.before(method, ({ params }) => (isGarbage(params) ? how(params) : undefined));
}

function empty(method: string, result: object): (server: Bendable) => void {
  return (server) =>
    server.reply((reply, serving) =>
      serving.method === method && isGarbage(serving.params) ? { jsonrpc: "2.0", id: reply.id, result } : reply,
    );
}
