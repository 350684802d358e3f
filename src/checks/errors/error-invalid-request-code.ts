import * as v from "valibot";
import { opening } from "../../facts/opening.ts";
import type { Bendable, HttpPlan } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
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
  effect: "shared",
  uses: "http",
  needs: { opening },
  params: v.object({ body: v.picklist(["no-method", "jsonrpc-1.0"]) }),
  faults: [
    fault("answers a request without a method with -32700", onBody(errorPage(400, -32700))),
    fault("answers a request without a method with -32601", onBody(errorPage(200, -32601))),
    fault("takes a request without a method for a response", onBody(page(202, "", ""))),
    fault("answers a request without a method with an empty page", onBody(page(200, "", ""))),
    fault("breaks down on a request without a method", onBody(page(500, "method is undefined"))),
    fault("answers a request without a method with 500 and an internal error", onBody(errorPage(500, -32603))),
  ],
  async run(_, server) {
    const { request = {} } = await server.control();
    const id = server.unique();
    const body = JSON.stringify(BODIES[server.params.body](request, id));
    return refusedWith(server, await server.http({ body, id }), -32600, [id], "a body that is no request");
  },
});

// --- internal ---

function onBody(plan: HttpPlan): (server: Bendable) => void {
  return (server) =>
    server.gate(({ json }) =>
      isObject(json) &&
      json["id"] !== undefined &&
      ["method", "result", "error"].every((name) => !Object.hasOwn(json, name))
        ? plan
        : undefined,
    );
}
