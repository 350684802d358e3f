import type { GenericSchema } from "valibot";
import type { Transcript } from "./exchange.ts";
import type { Needs } from "./fact.ts";
import type { Fault, World } from "./fault.ts";
import type { Outcome } from "./outcome.ts";
import type { RawHttp, RawLine, Server } from "./session.ts";

/**
 * How a check may touch the server, hence what may run beside it.
 * shared: reads on the common session; any number at once.
 * own: a session (stdio: a process) of its own; beside anything but `alone`.
 * alone: strains or changes the whole server; nothing else in flight.
 */
export type Effect = "shared" | "own" | "alone";

/** What an informational check says of one kind of server, in place of a fault: there is nothing that it could catch. */
export interface Case {
  /** Completes "a server that is …". */
  readonly name: string;
  /** The reference server of that kind. */
  readonly world: World;
  /** How what the check saw begins. */
  readonly text: string;
}

/** One requirement and the way to judge it. It never sees the revision: what differs is in its row's params. */
export interface Check {
  /** = file name = row id; its folder is the row's area. */
  readonly id: string;
  /** The requirement kept, as a short sentence in the present tense. */
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  /**
   * Lines that show the fix: what goes over the wire (`->` a client sends, `<-` a right server answers) or code. Facts
   * that no revision changes; `explain` prints it.
   */
  readonly snippet?: readonly string[];
  readonly effect: Effect;
  readonly uses?: "http" | "line";
  readonly needs: Needs;
  readonly params: GenericSchema;
  /** Empty only for a check of informational rows, which has cases. */
  readonly faults: readonly Fault[];
  readonly cases?: readonly [Case, ...Case[]];
  /** Measures. Absent for a check that only reviews. */
  run?(
    known: Readonly<Record<string, unknown>>,
    server: Server & RawHttp & RawLine & { readonly params: unknown },
  ): Promise<Outcome>;
  /** Judges the finished transcript; pure, run last. With `run`, the worse of the two counts. */
  review?(transcript: Transcript, known: Readonly<Record<string, unknown>>, params: unknown): Outcome;
}
