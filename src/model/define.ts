import * as v from "valibot";
import type { Case, Check, Effect } from "./check.ts";
import type { Transcript } from "./exchange.ts";
import type { Known, Needs } from "./fact.ts";
import type { Fault } from "./fault.ts";
import type { Outcome } from "./outcome.ts";
import type { RawHttp, RawLine, Server } from "./session.ts";

type None = Record<never, never>;
type Raw<U> = U extends "http" ? RawHttp : U extends "line" ? RawLine : unknown;

interface Declared<N, S> {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  readonly snippet?: readonly string[];
  readonly needs?: N;
  readonly params?: S;
}

/** How a check is shown to be right: by what it catches, or, if it only informs, by what it says. */
type Proven =
  | { readonly faults: readonly [Fault, ...Fault[]]; readonly cases?: undefined }
  | { readonly cases: readonly [Case, ...Case[]]; readonly faults?: undefined };

const none = v.looseObject({});

/** A check that sends something. */
export function defineCheck<
  const U extends "http" | "line" | "none" = "none",
  const N extends Needs = None,
  S extends v.GenericSchema = typeof none,
>(
  check: Declared<N, S> &
    Proven & {
      readonly effect: Effect;
      readonly uses?: U;
      run(known: Known<N>, server: Server & Raw<U> & { readonly params: v.InferOutput<S> }): Promise<Outcome>;
      review?(transcript: Transcript, known: Known<N>, params: v.InferOutput<S>): Outcome;
    },
): Check {
  return { needs: {}, params: none, faults: [], ...check } as unknown as Check;
}

/** A check that only judges the finished transcript. */
export function defineReview<const N extends Needs = None, S extends v.GenericSchema = typeof none>(
  check: Declared<N, S> &
    Proven & { review(transcript: Transcript, known: Known<N>, params: v.InferOutput<S>): Outcome },
): Check {
  return { needs: {}, params: none, faults: [], effect: "shared", ...check } as unknown as Check;
}
