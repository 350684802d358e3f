import { absent, defineFact, known } from "../model/fact.ts";
import { at } from "../model/json.ts";
import { capabilities } from "./opening.ts";

/** That the server declares subscriptions to resources. */
export const subscribing = defineFact<true, { capabilities: typeof capabilities }>({
  name: "resources.subscribe",
  needs: { capabilities },
  async learn({ capabilities }) {
    const declared = at(capabilities, "resources", "subscribe");
    const off = declared === undefined || declared === null || declared === false;
    return off ? absent("the server does not declare resources.subscribe") : known(true);
  },
});
