import type { Exchange } from "../model/exchange.ts";
import { defineFact, known } from "../model/fact.ts";
import { opening } from "./opening.ts";

/** What a request with a method that no server has was answered with. Not on the list of the common session's methods. */
export const unknownMethod = defineFact<Exchange, { opening: typeof opening }>({
  name: "unknown method",
  needs: { opening },
  learn: async (_, server) => known(await server.send(`nonexistent/${server.unique()}`)),
});
