import type { Bendable } from "./bendable.ts";
import type { RevisionId } from "./catalog.ts";
import type { Kind } from "./exchange.ts";

/** One way a server can be wrong. The reference server with this fault must make its check fail. */
export interface Fault {
  /** The defect; completes "a server that …". Unique. */
  readonly name: string;
  /** The transport on which the defect exists. Default: all of its check. */
  readonly on?: Kind;
  readonly only?: RevisionId;
  /** Other checks that this defect rightly fails. */
  readonly alsoFails?: readonly string[];
  /** What the reference server is before it is bent. */
  readonly world?: World;
  apply(server: Bendable): void;
}

/** Switches of the reference server that are no defects. */
export interface World {
  /** Require a bearer token, and have the tester send it. */
  readonly auth?: boolean;
  /** Require a bearer token that the tester does not have. */
  readonly locked?: boolean;
  /** Answer requests over HTTP with plain JSON instead of SSE. */
  readonly json?: boolean;
  /** Issue no session id. */
  readonly stateless?: boolean;
  /** Speak the HTTP+SSE transport of 2024-11-05 in place of Streamable HTTP. */
  readonly sse?: boolean;
  /** Which revisions it speaks: 2025-11-25 and older (default), 2026-07-28, or both. */
  readonly era?: "legacy" | "modern" | "dual";
  /** Seem to be on this public host. */
  readonly host?: string;
  /** Declare nothing. */
  readonly bare?: boolean;
  /** Open, then never answer again. */
  readonly mute?: boolean;
  /** The newest revision that is negotiated. */
  readonly newest?: string;
}

export const fault = (
  name: string,
  apply: Fault["apply"],
  more: Pick<Fault, "on" | "only" | "alsoFails" | "world"> = {},
): Fault => ({ name, apply, ...more });
