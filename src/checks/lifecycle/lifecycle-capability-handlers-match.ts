import { capabilities } from "../../facts/opening.ts";
import type { Answer, Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at, type JsonObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass } from "../../model/outcome.ts";
import { completable, incompletable } from "../_completable.ts";
import { together } from "../_noting.ts";
import { sight } from "../_sight.ts";

/** A capability, the method that it stands for, and where in a result its offers are. */
interface Pair {
  readonly capability: string;
  readonly method: string;
  readonly params?: (name: string) => JsonObject;
  readonly offers: readonly string[];
}

const PAIRS: readonly [Pair, ...Pair[]] = [
  { capability: "tools", method: "tools/list", offers: ["tools"] },
  { capability: "resources", method: "resources/list", offers: ["resources"] },
  { capability: "prompts", method: "prompts/list", offers: ["prompts"] },
  {
    capability: "completions",
    method: "completion/complete",
    params: incompletable,
    offers: ["completion", "values"],
  },
];

const ALSO = { alsoFails: ["error-capability-gated"] };

export default defineCheck({
  id: "lifecycle-capability-handlers-match",
  title: "What is declared is handled, and what is handled is declared",
  why: "Clients ask for what is declared and for nothing else: a declaration without a handler ends in errors, a handler without a declaration is never found.",
  fix: "Declare tools, resources, prompts and completions exactly where you handle tools/list, resources/list, prompts/list and completion/complete; answer the others with error -32601.",
  snippet: [
    '"capabilities": { "tools": {} } // tools/list and tools/call are handled,',
    "// and resources/list, prompts/list, completion/complete get -32601",
  ],
  effect: "shared",
  needs: { capabilities },
  faults: [
    fault("discovers tools and has no tools/list", unhandled("tools/list"), {
      alsoFails: ["tools-list"],
    }),
    fault("discovers resources and has no resources/list", unhandled("resources/list"), {
      alsoFails: ["resources-list"],
    }),
    fault("discovers prompts and has no prompts/list", unhandled("prompts/list"), {
      alsoFails: ["prompts-list"],
    }),
    fault("discovers completions and has no completion/complete", unhandled("completion/complete"), {
      alsoFails: ["lifecycle-completions"],
    }),
    fault("lists tools that its discovery leaves out", undiscovered("tools"), ALSO),
    fault("lists resources that its discovery leaves out", undiscovered("resources"), ALSO),
    fault("lists prompts that its discovery leaves out", undiscovered("prompts"), ALSO),
    fault(
      "completes what its discovery leaves out",
      (server) => {
        undiscovered("completions")(server);
        server.answer("completion/complete", () => ({ result: { completion: { values: ["one"] } } }));
      },
      ALSO,
    ),
    fault("completes the prompts that it lists, which its discovery leaves out", undiscovered("completions"), ALSO),
    fault("never answers completion/complete", (server) => server.answer("completion/complete", () => undefined), {
      alsoFails: ["lifecycle-completions"],
    }),
  ],
  async run({ capabilities }, server) {
    const judged: Outcome[] = [];
    for (const { capability, method, params, offers } of PAIRS) {
      const declared = (capabilities[capability] ?? false) !== false;
      // What is not listed may be refused for that alone, by a server that completes what it does list.
      const real =
        !declared && capability === "completions" ? (await completable(server, capabilities)).found : undefined;
      const asked = await server.send(method, real ?? params?.(server.unique()));
      const exchange = await server.attributed(asked, { codes: "any" });
      const status = exchange.http?.status ?? 200;
      if (exchange.reply === undefined && (declared || status < 400)) {
        return fail(`a JSON-RPC response to ${method}`, sight(exchange), exchange);
      }
      judged.push(declared ? handled(method, exchange) : refused(method, offers, exchange));
    }
    const [first, ...rest] = judged;
    if (first === undefined) throw new TypeError("there is nothing to ask for");
    const names = PAIRS.filter(({ capability }) => (capabilities[capability] ?? false) !== false);
    const saw = names.length === 0 ? "nothing declared, nothing offered" : `handled as declared: ${shown(names)}`;
    return together([first, ...rest], saw);
  },
});

// --- internal ---

const shown = (pairs: readonly Pair[]): string => pairs.map(({ capability }) => capability).join(", ");

/** Whether it is handled well is for the rows of the method itself. */
function handled(method: string, exchange: Exchange): Outcome {
  return rpcError(exchange.reply)?.code === -32601
    ? fail(`a handler of ${method}, whose capability is declared`, sight(exchange), exchange)
    : pass(sight(exchange), undefined, exchange);
}

function refused(method: string, offers: readonly string[], exchange: Exchange): Outcome {
  const error = rpcError(exchange.reply);
  const result = resultOf(exchange.reply);
  const offered = at(result, ...offers);
  if (Array.isArray(offered) && offered.length > 0) {
    return fail(
      `error -32601 for ${method}, whose capability is not declared`,
      "a result that offers something",
      exchange,
    );
  }
  if (error?.code === -32601) return pass(sight(exchange), undefined, exchange);
  const what = result === undefined ? sight(exchange) : "a result that offers nothing";
  return pass(what, `${method} is not declared, and answered with ${what}; the usual answer is error -32601`, exchange);
}

function unhandled(method: string): (server: Bendable) => void {
  return (server) => server.answer(method, (): Answer => ({ error: { code: -32601, message: "method not found" } }));
}

function undiscovered(capability: string): (server: Bendable) => void {
  return (server) => server.drop("server/discover", ["capabilities", capability]);
}
