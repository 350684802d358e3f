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

export default defineCheck({
  id: "error-invalid-jsonrpc",
  title: "JSON that is no JSON-RPC 2.0 message is refused",
  why: "A server that serves whatever looks close enough hides the mistakes of clients, and differs from every other server on them.",
  fix: 'Check that the body is an object with jsonrpc "2.0" and a method (or a result or error) before you serve it; else answer HTTP 400 with error -32600.',
  effect: "shared",
  uses: "http",
  needs: { opening },
  params: v.object({ bodies: v.tupleWithRest([BODY], BODY) }),
  faults: [
    fault("serves requests of JSON-RPC 1.0", (server) =>
      server.gate(({ json }) =>
        at(json, "jsonrpc") === "1.0" ? jsonPage(200, { jsonrpc: "2.0", id: at(json, "id"), result: {} }) : undefined,
      ),
    ),
    fault(
      "answers an object that is no message with a result",
      onBody(() => jsonPage(200, { jsonrpc: "2.0", id: null, result: {} })),
    ),
    fault(
      "takes an object that is no message for a notification",
      onBody(() => page(202, "", "")),
    ),
    fault(
      "answers an object that is no message with an empty page",
      onBody(() => page(200, "", "")),
    ),
    fault(
      "answers an object that is no message with an apology",
      onBody(() => page(200, "sorry", "text/plain")),
    ),
    fault(
      "breaks down on an object that is no message",
      onBody(() => page(500, "no method")),
    ),
    fault(
      "answers an object that is no message with 500 and an internal error",
      onBody(() => errorPage(500, -32603)),
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

function onBody(how: () => HttpPlan): (server: Bendable) => void {
  return (server) => server.gate(({ json }) => (isObject(json) && Object.hasOwn(json, "not") ? how() : undefined));
}
