import type { Kind } from "./exchange.ts";

export type StageName =
  | "command"
  | "start"
  | "dns"
  | "tcp"
  | "tls"
  | "first byte"
  | "first message"
  | "negotiation"
  | "lists";

/** One stage on the way to a working server. What stands after a failed one was not reached. */
export interface Stage {
  readonly name: StageName;
  readonly state: "passed" | "failed" | "not reached" | "not needed";
  /** What was seen, in words. */
  readonly saw: string;
  readonly ms?: number;
}

/** What a server is to a client that comes along. */
export type LivenessClass = "open" | "gated" | "wrong-transport" | "not-mcp" | "dead" | "unknown";

export interface Liveness {
  readonly class: LivenessClass;
  /** What each try came to. */
  readonly tries: readonly string[];
}

/** A piece of evidence under its label; `text` is the server's own and may have several lines. */
export interface Exhibit {
  readonly label: string;
  readonly text: string;
}

/** One cause that was recognised. */
export interface Finding {
  /** The cause's id in the table. */
  readonly cause: string;
  readonly headline: string;
  readonly mend: string;
}

/** One challenge of a WWW-Authenticate header (RFC 9110 section 11.6.1). Names of parameters are in lower case. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** One step of finding out where to log in, as a client takes it. */
export interface Step {
  /** What was asked or compared. */
  readonly what: string;
  readonly result: "ok" | "missing" | "wrong" | "not asked";
  readonly saw: string;
}

/** How a client finds the authorization server (2025-11-25 and 2026-07-28, basic/authorization). */
export interface Authorization {
  readonly challenges: readonly Challenge[];
  readonly steps: readonly Step[];
  /** The first thing that keeps a client from logging in, as the id of a cause, and in words; undefined: nothing does. */
  readonly problem?: { readonly id: string; readonly saw: string };
}

/** The answer to "why doesn't it work?". Plain data; texts of the server stand in it as they came. */
export interface Diagnosis {
  /** The URL without user info, or the command line. */
  readonly target: string;
  readonly transport: Kind;
  /** Whether every stage passed. */
  readonly ok: boolean;
  readonly headline: string;
  /** The cause of what failed; undefined where all stages passed without trouble. */
  readonly cause?: string;
  /** What to do about it. */
  readonly mend?: string;
  readonly stages: readonly Stage[];
  readonly evidence: readonly Exhibit[];
  /** What did no harm here and breaks other clients. */
  readonly troubles: readonly Finding[];
  readonly liveness: Liveness;
  readonly authorization?: Authorization;
  /** Why the diagnosis is not whole; what it says then is what was seen so far, and no verdict. */
  readonly partial?: "interrupted";
  /** The places that were asked, in order. */
  readonly contacted: readonly string[];
  /** Whether any JSON-RPC message came. */
  readonly heard: boolean;
  /** Whether the target answered with nothing but refusals of the credential. */
  readonly refused: boolean;
  readonly ms: number;
}
