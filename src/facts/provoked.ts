import type { Exchange } from "../model/exchange.ts";
import { defineFact, known } from "../model/fact.ts";
import type { JsonObject } from "../model/json.ts";
import type { Server } from "../model/session.ts";
import { opened } from "./opening.ts";

/** Answers to requests for things that do not exist, so that errors can be read in any selection of checks. */
export const provoked = defineFact<readonly Exchange[], { opened: typeof opened }>({
  name: "provoked errors",
  needs: { opened },
  async learn({ opened }, server) {
    if (opened.refusal !== undefined) return known([]);
    const name = server.unique();
    const requests = [
      [`nonexistent/${name}`, {}],
      ["tools/call", { name, arguments: {} }],
      ["resources/read", { uri: `${name}://nothing` }],
      ["prompts/get", { name }],
    ] as const;
    return known(await answersTo(server, requests));
  },
});

/** The answers to requests that are sent one after the other, up to the first that has none. */
export async function answersTo(
  server: Server,
  requests: readonly (readonly [method: string, params: JsonObject])[],
): Promise<readonly Exchange[]> {
  const answered: Exchange[] = [];
  for (const [method, params] of requests) {
    const exchange = await server.send(method, params);
    // Whether it should have answered is for other rows to judge.
    if (exchange.end !== "reply" && exchange.end !== "complete") break;
    answered.push(exchange);
  }
  return answered;
}
