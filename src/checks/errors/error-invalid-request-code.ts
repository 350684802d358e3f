import * as v from "valibot";
import { opening } from "../../facts/opening.ts";
import type { HttpPlan } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at, isObject } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { errorPage, page } from "../_bends.ts";
import { refusedWith } from "./_unreadable.ts";

const BODIES = {
  "no-method": (_: Message, id: string) => ({ jsonrpc: "2.0", id }),
  "jsonrpc-1.0": (request: Message, id: string) => ({ ...request, jsonrpc: "1.0", id }),
};

export default defineCheck({
  id: "error-invalid-request-code",
  title: "The error for JSON that is no request has code -32600",
  why: "The code tells a client that the form of its message is wrong, and not its bytes or its arguments.",
  fix: "Where the body is JSON but no JSON-RPC 2.0 message, answer HTTP 400 with error -32600; keep -32700 for what can't be parsed.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1}',
    "<- HTTP/1.1 400 Bad Request",
    '   {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: no method"}}',
  ],
  effect: "shared",
  uses: "http",
  needs: { opening },
  params: v.object({ body: v.picklist(["no-method", "jsonrpc-1.0"]) }),
  faults: [
    ...answering("a request without a method", isWithoutMethod, { only: "2025-11-25" }),
    ...answering("a request of JSON-RPC 1.0", isOld, { only: "2026-07-28", alsoFails: ["error-invalid-jsonrpc"] }),
  ],
  async run(_, server) {
    const { request = {} } = await server.control();
    const id = server.unique();
    const body = JSON.stringify(BODIES[server.params.body](request, id));
    return refusedWith(server, await server.http({ body, id }), -32600, [id], "a body that is no request");
  },
});

// --- internal ---

function isOld(json: unknown): boolean {
  return at(json, "jsonrpc") === "1.0";
}

function isWithoutMethod(json: unknown): boolean {
  const others = ["method", "result", "error"];
  return isObject(json) && json["id"] !== undefined && others.every((name) => !Object.hasOwn(json, name));
}

/** The ways in which the code of a refusal goes wrong, for the bodies that no request are. */
function answering(
  what: string,
  isOdd: (json: unknown) => boolean,
  more: Pick<Fault, "only" | "alsoFails">,
): readonly [Fault, ...Fault[]] {
  const way = (name: string, plan: HttpPlan) =>
    fault(`${name} ${what}`, (server) => server.gate(({ json }) => (isOdd(json) ? plan : undefined)), more);
  return [
    way("has the code -32700 for", errorPage(400, -32700)),
    way("has the code -32601 for", errorPage(200, -32601)),
    way("answers 202 without a body to", page(202, "", "")),
    way("answers 200 without a body to", page(200, "", "")),
    way("has an empty 500 for", page(500, "method is undefined")),
    way("has the code -32603 and status 500 for", errorPage(500, -32603)),
  ];
}
