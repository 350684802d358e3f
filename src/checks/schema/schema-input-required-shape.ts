import { callable, isReadOnly } from "../../facts/tools.ts";
import type { Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { type Complaint, each, skipped } from "../../model/outcome.ts";
import { sampleArguments } from "../../schema/sample.ts";
import { inputRequired } from "../../schema/shapes-2026-07-28.ts";
import { count } from "../../text/count.ts";
import { type Heard, heardIn } from "../_heard.ts";
import { isInputRequired } from "./_input-required.ts";

const CALLS = 10;
/** All that a server may ask for. */
const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { context: {}, tools: {} }, roots: {} };

export default defineCheck({
  id: "schema-input-required-shape",
  title: "An input_required result holds valid inputRequests, a requestState, or both",
  why: "A client can answer only what it can read: an unknown question, or none at all, leaves the call without an end.",
  fix: "Put into inputRequests an object of { method, params } with elicitation/create, sampling/createMessage or roots/list, or a requestState text, or both.",
  snippet: [
    '"result": {',
    '  "resultType": "input_required",',
    '  "inputRequests": { "date": { "method": "elicitation/create", "params": { "mode": "form", "message": "Which day?", "requestedSchema": { "type": "object", "properties": { "day": { "type": "string" } } } } } },',
    '  "requestState": "opaque-and-signed"',
    "}",
  ],
  effect: "own",
  needs: { callable },
  faults: [
    asking("asks back for nothing", (result) => {
      delete result["inputRequests"];
      delete result["requestState"];
    }),
    asking("asks back with a list of requests", (result) => {
      result["inputRequests"] = [{ method: "roots/list" }];
    }),
    asking("asks back by a method that no client knows", (result) => {
      result["inputRequests"] = { answer: { method: "user/ask", params: { message: "Sure?" } } };
    }),
    asking("asks back without a method", (result) => {
      result["inputRequests"] = { answer: { params: { message: "Sure?" } } };
    }),
    asking("asks the user without a message", (result) => {
      const params = { requestedSchema: { type: "object", properties: {} } };
      result["inputRequests"] = { answer: { method: "elicitation/create", params } };
    }),
    asking("asks the user with a nested form", (result) => {
      const properties = { colour: { type: "object", properties: {} } };
      const params = { message: "Which?", requestedSchema: { type: "object", properties } };
      result["inputRequests"] = { answer: { method: "elicitation/create", params } };
    }),
    asking("sends the user to an address without giving it", (result) => {
      result["inputRequests"] = { answer: { method: "elicitation/create", params: { mode: "url", message: "Go" } } };
    }),
    asking("asks the model without a limit", (result) => {
      result["inputRequests"] = { answer: { method: "sampling/createMessage", params: { messages: [] } } };
    }),
    asking("keeps its state as an object", (result) => {
      result["requestState"] = { step: 1 };
    }),
  ],
  async run({ callable }, server) {
    const reading = callable.filter(isReadOnly).slice(0, CALLS);
    const session = await server.open({ capabilities: EVERYTHING });
    for (const { name, inputSchema } of reading.length > 0 ? reading : callable.slice(0, 1)) {
      const exchange = await session.send("tools/call", { name, arguments: sampleArguments(inputSchema).args });
      // Whether it should have answered is for other rows to judge.
      if (exchange.end !== "reply" && exchange.end !== "complete") break;
    }
    return skipped("no call was answered with input_required");
  },
  review(transcript) {
    const heard = heardIn(transcript);
    const asking = heard.filter(({ message }) => isInputRequired(message));
    if (asking.length === 0) return skipped(`no input_required result among ${count(heard.length, "message")}`);
    const bad = asking.find((one) => complaint(one) !== undefined);
    return each("input_required results", asking, complaint, [(bad ?? asking[0])?.exchange]);
  },
});

// --- internal ---

function complaint({ message: { result } }: Heard): Complaint {
  if (at(result, "inputRequests") === undefined && at(result, "requestState") === undefined) {
    return ["inputRequests or a requestState", "neither"];
  }
  const found = inputRequired(result, "");
  return found === undefined ? undefined : [`${found.expected} at ${found.path}`, found.actual];
}

function asking(name: string, how: (result: Draft) => void): Fault {
  return fault(
    name,
    (server) =>
      server.edit("tools/call", (result) => {
        if (result["resultType"] === "input_required") how(result);
      }),
    { alsoFails: ["schema-wire-valid"] },
  );
}
