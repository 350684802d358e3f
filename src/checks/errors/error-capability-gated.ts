import * as v from "valibot";
import { capabilities, negotiated } from "../../facts/opening.ts";
import type { Answer, Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject, type JsonObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import { inOpening } from "../_bends.ts";
import { completable, incompletable } from "../_completable.ts";
import { sight } from "../_sight.ts";

/** What a method needs, what it is asked here, and whether a result of it offers something. */
interface Gate {
  readonly capability: readonly string[];
  readonly params?: (name: string) => JsonObject;
  readonly offers: (result: unknown) => boolean;
}

const offering =
  (...path: string[]) =>
  (result: unknown): boolean => {
    const offered = at(result, ...path);
    return Array.isArray(offered) && offered.length > 0;
  };

const GATES: Readonly<Record<string, Gate>> = {
  "tools/list": { capability: ["tools"], offers: offering("tools") },
  "resources/list": { capability: ["resources"], offers: offering("resources") },
  "resources/templates/list": { capability: ["resources"], offers: offering("resourceTemplates") },
  "prompts/list": { capability: ["prompts"], offers: offering("prompts") },
  "completion/complete": {
    capability: ["completions"],
    params: incompletable,
    offers: offering("completion", "values"),
  },
  "logging/setLevel": { capability: ["logging"], params: () => ({ level: "info" }), offers: isObject },
  "resources/subscribe": {
    capability: ["resources", "subscribe"],
    params: (name) => ({ uri: `assay://${name}` }),
    offers: isObject,
  },
  "tasks/list": { capability: ["tasks", "list"], offers: offering("tasks") },
};

/** What else compares the declared with the offered. */
const ALSO = { alsoFails: ["lifecycle-capability-handlers-match"] };

export default defineCheck({
  id: "error-capability-gated",
  title: "Methods of capabilities that were not declared are refused",
  why: "Clients show what was declared; what is offered beside it goes unseen, or slips past those who rely on the declaration.",
  fix: "Declare the capability of everything you offer, and answer the methods of all others with error -32601.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"prompts/list"} (prompts were not declared)',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
  ],
  effect: "own",
  needs: { capabilities, negotiated },
  params: v.object({ methods: v.array(v.string()) }),
  faults: [
    // The reference announces changes of its tools, declared or not.
    fault("offers tools that it doesn't declare", undeclared("tools"), {
      alsoFails: ["lifecycle-list-changed", ...ALSO.alsoFails],
    }),
    fault("offers prompts that it doesn't declare", undeclared("prompts"), ALSO),
    fault("offers resources that it doesn't declare", undeclared("resources"), ALSO),
    fault(
      "offers resource templates without declaring resources",
      (server) => {
        undeclared("resources")(server);
        for (const method of ["resources/list", "resources/subscribe"]) server.answer(method, unknown);
      },
      ALSO,
    ),
    fault(
      "takes subscriptions that it doesn't declare",
      (server) => {
        server.drop("initialize", ["capabilities", "resources", "subscribe"]);
        server.answer("resources/subscribe", () => ({ result: {} }));
      },
      { only: "2025-11-25" },
    ),
    fault("takes a log level without declaring logging", undeclared("logging"), { only: "2025-11-25" }),
    fault(
      "completes arguments without declaring completions",
      (server) => {
        undeclared("completions")(server);
        server.answer("completion/complete", () => ({ result: { completion: { values: ["one"] } } }));
      },
      ALSO,
    ),
    fault("completes the prompts that it lists without declaring completions", undeclared("completions"), ALSO),
    fault(
      "lists tasks that it doesn't declare",
      (server) => server.answer("tasks/list", () => ({ result: { tasks: [{ taskId: "1", status: "working" }] } })),
      { only: "2025-11-25" },
    ),
    fault("never answers tasks/list", (server) => server.answer("tasks/list", () => undefined), { only: "2025-11-25" }),
    fault(
      "never answers completion/complete, which it doesn't declare",
      (server) => {
        undeclared("completions")(server);
        server.answer("completion/complete", () => undefined);
      },
      ALSO,
    ),
  ],
  async run({ capabilities, negotiated }, server) {
    const undeclared = server.params.methods.filter((method) => {
      // Section 2024-11-05: completions were no capability yet.
      if (method === "completion/complete" && negotiated === "2024-11-05") return false;
      const gate = GATES[method];
      return gate !== undefined && !isDeclared(at(capabilities, ...gate.capability));
    });
    const judged: Outcome[] = [];
    for (const method of undeclared) {
      // What is not listed may be refused for that alone, by a server that completes what it does list.
      const real = method === "completion/complete" ? (await completable(server, capabilities)).found : undefined;
      const exchange = await server.send(method, real ?? GATES[method]?.params?.(server.unique()));
      judged.push(judge(method, await server.attributed(exchange, { codes: "any" })));
    }
    const [first, ...rest] = judged;
    if (first === undefined) return skipped("the server declares every capability that could be asked about");
    const outcome = worst(first, ...rest);
    return outcome.status === "pass"
      ? { ...outcome, saw: `${judged.length} methods refused: ${undeclared.join(", ")}` }
      : outcome;
  },
});

// --- internal ---

const isDeclared = (capability: unknown): boolean =>
  capability !== undefined && capability !== null && capability !== false;

function judge(method: string, exchange: Exchange): Outcome {
  const error = rpcError(exchange.reply);
  if (error !== undefined) {
    const note =
      error.code === -32601 ? undefined : `${method} is refused with ${sight(exchange)}; the usual code is -32601`;
    return pass(`error ${error.code}`, note, exchange);
  }
  const result = resultOf(exchange.reply);
  if (result === undefined) {
    return (exchange.http?.status ?? 0) >= 400
      ? pass(sight(exchange), `${method} is refused by status alone`, exchange)
      : fail(`an error for ${method}, whose capability is not declared`, sight(exchange), exchange);
  }
  return GATES[method]?.offers(result) === true
    ? fail(`an error for ${method}, whose capability is not declared`, "a result that offers something", exchange)
    : pass("nothing offered", `${method} is answered with an empty result: nothing is offered`, exchange);
}

function unknown(): Answer {
  return { error: { code: -32601, message: "method not found" } };
}

function undeclared(name: string): (server: Bendable) => void {
  return inOpening(["capabilities", name], undefined);
}
