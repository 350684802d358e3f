import type { Exchange } from "../model/exchange.ts";
import { defineFact, known } from "../model/fact.ts";
import { at, isObject, type JsonObject } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { sampleArguments } from "../schema/sample.ts";
import { opened } from "./opening.ts";
import { isReadOnly, safest } from "./tools.ts";

/** One request of each kind that reads, so that results can be read in any selection of checks. */
export const survey = defineFact<readonly Exchange[], { opened: typeof opened }>({
  name: "survey",
  needs: { opened },
  async learn({ opened }, server) {
    const asked: Exchange[] = [];
    const silent = () => asked.some(({ end }) => end !== "reply" && end !== "complete");
    const ask = async (method: string, params?: JsonObject): Promise<unknown> => {
      // Whether it should have answered is for other rows to judge.
      if (silent()) return undefined;
      const exchange = await server.send(method, params);
      asked.push(exchange);
      return resultOf(exchange.reply);
    };
    const list = async (method: string, key: string): Promise<readonly unknown[]> => {
      const listed = at(await ask(method), key);
      return Array.isArray(listed) ? listed : [];
    };
    const declared = at(resultOf(opened.exchange.reply), "capabilities");
    if (opened.refusal !== undefined || !isObject(declared)) return known([]);
    if (declared["tools"] !== undefined) {
      for (const { name, inputSchema } of safest(await list("tools/list", "tools"))
        .filter(isReadOnly)
        .slice(0, CALLS)) {
        await ask("tools/call", { name, arguments: sampleArguments(inputSchema).args });
      }
    }
    if (declared["resources"] !== undefined) {
      const uri = at((await list("resources/list", "resources"))[0], "uri");
      if (typeof uri === "string") await ask("resources/read", { uri });
      await ask("resources/templates/list");
    }
    if (declared["prompts"] !== undefined) {
      const plain = (await list("prompts/list", "prompts")).find((each) => !needsArguments(each));
      const name = at(plain, "name");
      if (typeof name === "string") await ask("prompts/get", { name });
    }
    return known(asked);
  },
});

// --- internal ---

const CALLS = 2;

function needsArguments(prompt: unknown): boolean {
  const listed = at(prompt, "arguments");
  return Array.isArray(listed) && listed.some((each) => at(each, "required") === true);
}
