import * as v from "valibot";
import { opening } from "../../facts/opening.ts";
import type { Bendable, HttpPlan } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { worst } from "../../model/outcome.ts";
import { errorPage, jsonPage, page } from "../_bends.ts";
import { refusal } from "../_refusal.ts";

const BODY = v.picklist(["jsonrpc-1.0", "not-a-message"]);
const BODIES = {
  "jsonrpc-1.0": (request: Message, id: string) => ({ ...request, jsonrpc: "1.0", id }),
  "not-a-message": () => ({ not: "x" }),
};

/** In 2026-07-28 the code of the refusal is asked for with the same body. */
const OLD = { alsoFails: ["error-invalid-request-code"] };
const BARE = { only: "2025-11-25" } as const;

export default defineCheck({
  id: "error-invalid-jsonrpc",
  title: "JSON that is no JSON-RPC 2.0 message is refused",
  why: "A server that serves whatever looks close enough hides the mistakes of clients, and differs from every other server on them.",
  fix: 'Check that the body is an object with jsonrpc "2.0" and a method (or a result or error) before you serve it; else answer HTTP 400 with error -32600.',
  snippet: [
    '-> {"id":1,"method":"tools/list"}',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: jsonrpc must be \\"2.0\\""}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  params: v.object({ bodies: v.tupleWithRest([BODY], BODY) }),
  faults: [
    fault(
      "serves requests of JSON-RPC 1.0",
      onOld((json) => jsonPage(200, { jsonrpc: "2.0", id: at(json, "id"), result: {} })),
      { alsoFails: [...OLD.alsoFails, "schema-result-type", "schema-wire-valid"] },
    ),
    fault(
      "takes requests of JSON-RPC 1.0 and answers nothing",
      onOld(() => page(202, "", "")),
      OLD,
    ),
    fault(
      "answers requests of JSON-RPC 1.0 with an apology",
      onOld(() => page(200, "sorry", "text/plain")),
      OLD,
    ),
    fault(
      "breaks down on requests of JSON-RPC 1.0",
      onOld(() => page(500, "unknown version")),
      OLD,
    ),
    fault(
      "has an internal error for requests of JSON-RPC 1.0",
      onOld(() => errorPage(500, -32603)),
      OLD,
    ),
    fault(
      "answers an object that is no message with a result",
      onBody(() => jsonPage(200, { jsonrpc: "2.0", id: null, result: {} })),
      BARE,
    ),
    fault(
      "takes an object that is no message for a notification",
      onBody(() => page(202, "", "")),
      BARE,
    ),
    fault(
      "answers an object that is no message with an empty page",
      onBody(() => page(200, "", "")),
      BARE,
    ),
    fault(
      "answers an object that is no message with an apology",
      onBody(() => page(200, "sorry", "text/plain")),
      BARE,
    ),
    fault(
      "breaks down on an object that is no message",
      onBody(() => page(500, "no method")),
      BARE,
    ),
    fault(
      "answers an object that is no message with 500 and an internal error",
      onBody(() => errorPage(500, -32603)),
      BARE,
    ),
  ],
  async run(_, server) {
    const judge = async (name: keyof typeof BODIES) => {
      const { request = {} } = await server.control();
      const id = server.unique();
      const exchange = await server.http({ body: JSON.stringify(BODIES[name](request, id)), id });
      return refusal(
        server,
        exchange,
        name === "jsonrpc-1.0" ? "jsonrpc 1.0" : "an object that is no message",
        [-32600],
      );
    };
    const [first, ...rest] = server.params.bodies;
    const outcome = await judge(first);
    return worst(outcome, ...(await Promise.all(rest.map(judge))));
  },
});

// --- internal ---

function onOld(how: (json: unknown) => HttpPlan): (server: Bendable) => void {
  return (server) => server.gate(({ json }) => (at(json, "jsonrpc") === "1.0" ? how(json) : undefined));
}

function onBody(how: () => HttpPlan): (server: Bendable) => void {
  return (server) => server.gate(({ json }) => (isObject(json) && Object.hasOwn(json, "not") ? how() : undefined));
}
