import { capabilities } from "../../facts/opening.ts";
import type { Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { blocked, fail, pass, skipped } from "../../model/outcome.ts";
import { arr, bool, int, obj, str } from "../../schema/shape.ts";
import { completable, incompletable } from "../_completable.ts";
import { sight } from "../_sight.ts";

const MOST = 100;
const shape = obj({ completion: obj({ values: arr(str, MOST) }, { total: int, hasMore: bool }) });

/** What else judges the shape of results, and that what is declared is there. */
const SHAPE = { alsoFails: ["schema-wire-valid"] };
const UNKNOWN = { alsoFails: ["lifecycle-capability-handlers-match"] };

export default defineCheck({
  id: "lifecycle-completions",
  title: "completion/complete answers with at most 100 strings",
  why: "Clients complete while the user types: an error or a list of another form leaves the user without suggestions.",
  fix: "Answer completion/complete with { completion: { values: [ … ] } }: strings, 100 at most, an empty list where there is nothing to suggest.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"a"}}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["Ada","Alan"],"total":2,"hasMore":false}}}',
  ],
  effect: "shared",
  needs: { capabilities },
  faults: [
    fault(
      "declares completions and knows no completion/complete",
      (server) =>
        server.answer("completion/complete", () => ({ error: { code: -32601, message: "method not found" } })),
      UNKNOWN,
    ),
    fault("refuses to complete an argument that it lists", (server) =>
      server.answer("completion/complete", () => ({ error: { code: -32602, message: "no completions for it" } })),
    ),
    fault(
      "gives its completions without the member completion",
      (server) => server.edit("completion/complete", ({ completion }) => completion),
      { alsoFails: ["schema-result-type", ...SHAPE.alsoFails] },
    ),
    fault(
      "gives 101 completions",
      (server) =>
        server.put(
          "completion/complete",
          ["completion", "values"],
          Array.from({ length: 101 }, (_, index) => `value ${index}`),
        ),
      SHAPE,
    ),
    fault(
      "gives its completions as objects",
      (server) => server.put("completion/complete", ["completion", "values"], [{ value: "go" }]),
      SHAPE,
    ),
    fault(
      "gives null for no completions",
      (server) => server.put("completion/complete", ["completion", "values"], null),
      SHAPE,
    ),
    fault(
      "gives hasMore as a text",
      (server) => server.put("completion/complete", ["completion", "hasMore"], "false"),
      SHAPE,
    ),
    fault(
      "lists neither arguments nor templates, and knows no completion/complete",
      (server) => {
        server.put("resources/templates/list", ["resourceTemplates"], []);
        server.edit("prompts/list", withoutArguments);
        server.answer("completion/complete", () => ({ error: { code: -32601, message: "method not found" } }));
      },
      UNKNOWN,
    ),
  ],
  async run({ capabilities }, server) {
    if ((capabilities["completions"] ?? false) === false) return skipped("the server does not declare completions");
    const { found, broken } = await completable(server, capabilities);
    if (broken !== undefined) {
      const last = broken.pages.at(-1)?.exchange;
      return blocked(`${broken.method} failed: nothing to complete is known`, broken.method, last);
    }
    const exchange = await server.request("completion/complete", found ?? incompletable(server.unique()));
    return found === undefined ? judgeUnknown(exchange) : judge(exchange, String(at(found, "argument", "name")));
  },
});

// --- internal ---

function judge(exchange: Exchange, name: string) {
  const result = resultOf(exchange.reply);
  const of = `completions of ${JSON.stringify(name.slice(0, 40))}`;
  if (result === undefined) return fail(of, sight(exchange), exchange);
  const found = shape(result, "");
  if (found !== undefined) return fail(`${found.expected} at ${found.path || "/"}`, found.actual, exchange);
  const values = at(result, "completion", "values");
  return pass(`${Array.isArray(values) ? values.length : 0} ${of}`, undefined, exchange);
}

/** Only that the method is known can be judged by a prompt that does not exist. */
function judgeUnknown(exchange: Exchange) {
  return rpcError(exchange.reply)?.code === -32601
    ? fail("a known method, since completions are declared", "error -32601", exchange)
    : skipped("no prompt argument and no resource template is listed that could be completed");
}

function withoutArguments({ prompts, ...rest }: Draft): unknown {
  return {
    ...rest,
    prompts: Array.isArray(prompts) ? prompts.filter((each) => at(each, "arguments") === undefined) : prompts,
  };
}
