import type { Fact, Learned } from "../model/fact.ts";
import { Blocked, Failed } from "../model/outcome.ts";
import type { Server } from "../model/session.ts";

type Missing = Exclude<Learned<unknown>, { is: "known" }>;

/** Learns each fact at most once, on demand. */
export interface Learner {
  get<T>(fact: Fact<T>): Promise<Learned<T>>;
  /** The value if the fact has been learned and is known. */
  peek<T>(fact: Fact<T>): Promise<T | undefined>;
  /** All of `needs`, or the first of them that is missing, in the order they are written. */
  all(
    needs: Readonly<Record<string, Fact<unknown>>>,
  ): Promise<{ known: Record<string, unknown> } | { missing: Missing }>;
}

/** The promise is what is memoised, so two checks that ask at once share one request. */
export function createLearner(view: (sender: string) => Promise<Server>): Learner {
  const memo = new Map<Fact<unknown>, Promise<Learned<unknown>>>();

  async function learn<T>(fact: Fact<T>): Promise<Learned<T>> {
    const got = await learner.all(fact.needs);
    if ("missing" in got) return got.missing;
    try {
      return await fact.learn(got.known, await view(`fact:${fact.name}`));
    } catch (cause) {
      if (cause instanceof Blocked) return brokenBy(cause.message, cause.by ?? fact.name, cause.cited);
      if (cause instanceof Failed) return { is: "broken", because: cause.message, by: fact.name, ...citesOf(cause) };
      throw cause;
    }
  }

  const learner: Learner = {
    get<T>(fact: Fact<T>) {
      let found = memo.get(fact);
      if (found === undefined) {
        found = learn(fact);
        memo.set(fact, found);
      }
      return found as Promise<Learned<T>>;
    },
    async peek<T>(fact: Fact<T>) {
      const learned = await (memo.get(fact) as Promise<Learned<T>> | undefined);
      return learned?.is === "known" ? learned.value : undefined;
    },
    async all(needs) {
      const known: Record<string, unknown> = {};
      for (const [key, fact] of Object.entries(needs)) {
        const learned = await learner.get(fact);
        if (learned.is === "known") known[key] = learned.value;
        else return { missing: learned.is === "broken" ? { by: fact.name, ...learned } : learned };
      }
      return { known };
    },
  };
  return learner;
}

// --- internal ---

function brokenBy(because: string, by: string, cited: Blocked["cited"]): Learned<never> {
  const cites = cited.flatMap((each) => (each === undefined ? [] : [typeof each === "number" ? each : each.n]));
  return { is: "broken", because, by, cites };
}

const citesOf = ({ outcome }: Failed): { readonly cites?: readonly number[] } =>
  "cites" in outcome && outcome.cites !== undefined ? { cites: outcome.cites } : {};
