import { callable } from "../../facts/tools.ts";
import type { Draft, Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { sampleArguments } from "../../schema/sample.ts";
import { sight } from "../_sight.ts";

/** Whether a call has an argument that only a tester would invent. */
const isExtra = (params: unknown): boolean => {
  const args = at(params, "arguments");
  return isObject(args) && Object.keys(args).some((key) => key.startsWith("assay"));
};

export default defineCheck({
  id: "security-extra-params",
  title: "Unknown tool arguments are refused or ignored",
  why: "Models invent arguments; a server that breaks on one it doesn't know can be brought down by a guess.",
  fix: "Validate arguments against the inputSchema before you use them, and answer what does not fit with isError.",
  snippet: [
    "const checked = schema.safeParse(params.arguments);",
    'if (!checked.success) return { content: [{ type: "text", text: checked.error.message }], isError: true };',
  ],
  effect: "shared",
  needs: { callable },
  faults: [
    fault("dies of an unknown argument", (server) =>
      server.before("tools/call", ({ params, die }: Serving) => {
        if (isExtra(params)) die();
      }),
    ),
    fault("never answers a call with an unknown argument", (server) =>
      server.reply((reply, { method, params }: { method: string; params: Draft }) =>
        method === "tools/call" && isExtra(params) ? undefined : reply,
      ),
    ),
    fault(
      "answers an unknown argument with 500",
      (server) =>
        server.http((plan, { json }) =>
          isExtra(at(json, "params"))
            ? { status: 500, headers: [["Content-Type", "text/plain"]], body: "Internal Server Error" }
            : plan,
        ),
      { on: "http" },
    ),
  ],
  async run({ callable: [tool] }, server) {
    const { args } = sampleArguments(tool.inputSchema);
    const extra = server.unique().replace("-", "_");
    const exchange = await server.send("tools/call", { name: tool.name, arguments: { ...args, [extra]: "extra" } });
    await server.attributed(exchange, { codes: "any" });
    const refused = rpcError(exchange.reply) !== undefined || at(resultOf(exchange.reply), "isError") === true;
    if (refused || (exchange.reply === undefined && (exchange.http?.status ?? 0) >= 400)) {
      return pass(`${sight(exchange)}: the call of ${tool.name} is refused`, undefined, exchange);
    }
    if (exchange.reply === undefined) return fail(`an answer of ${tool.name} or an error`, sight(exchange), exchange);
    return pass(`a result of ${tool.name}: the argument is ignored`, undefined, exchange);
  },
});
