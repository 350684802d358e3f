import type { Server } from "./session.ts";

/** Something learned about the server once and shared by all who need it. Facts judge nothing. */
export interface Fact<T> {
  readonly name: string;
  readonly needs: Needs;
  learn(known: Readonly<Record<string, unknown>>, server: Server): Promise<Learned<T>>;
}

/** known; absent: not declared, so whoever needs it is skipped; broken: declared but unusable, so they are blocked. */
export type Learned<T> =
  | { readonly is: "known"; readonly value: T }
  | { readonly is: "absent"; readonly because: string }
  | { readonly is: "broken"; readonly because: string; readonly by?: string; readonly cites?: readonly number[] };

// biome-ignore lint/suspicious/noExplicitAny: a bag of facts of any value; Known<N> gives each its type back.
export type Needs = { readonly [key: string]: Fact<any> };
export type Known<N extends Needs> = { readonly [K in keyof N]: N[K] extends Fact<infer T> ? T : never };

export function defineFact<T, const N extends Needs = Record<never, never>>(fact: {
  readonly name: string;
  readonly needs?: N;
  learn(known: Known<N>, server: Server): Promise<Learned<T>>;
}): Fact<T> {
  return { needs: {}, ...fact } as unknown as Fact<T>;
}

export const known = <T>(value: T): Learned<T> => ({ is: "known", value });
export const absent = (because: string): Learned<never> => ({ is: "absent", because });
export const broken = (because: string, by?: string, cites?: readonly number[]): Learned<never> => ({
  is: "broken",
  because,
  ...(by === undefined ? {} : { by }),
  ...(cites === undefined ? {} : { cites }),
});
