import type { Fact } from "../model/fact.ts";
import { createCommons } from "./commons.ts";
import type { Context } from "./context.ts";
import type { Bench } from "./judge.ts";
import { createLearner } from "./learner.ts";
import { createView } from "./view.ts";

/** The value of a fact, if it has been learned and is known. */
export type Peek = <T>(fact: Fact<T>) => Promise<T | undefined>;

/** The common session of a run and the facts learned on it; --retries begins both anew. */
export interface Benches {
  now(): Bench;
  renew(): Promise<void>;
  /** Of the newest session that knows it. */
  readonly peek: Peek;
}

export function createBenches(context: Context): Benches {
  let bench = createBench(context);
  const all = [bench];
  return {
    now: () => bench,
    async renew() {
      await bench.commons.close();
      bench = createBench(context);
      all.unshift(bench);
    },
    async peek(fact) {
      for (const { learner } of all) {
        const value = await learner.peek(fact);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

// --- internal ---

function createBench(context: Context): Bench {
  const commons = createCommons(context);
  const learner = createLearner(async (sender) => {
    const channel = await commons.channel();
    return createView(context, { sender, effect: "shared", channel, refusal: commons.refusal }).server;
  });
  return { context, commons, learner, inFlight: new Set() };
}
