import type { Walk } from "../facts/lists.ts";
import type { RevisionId } from "../model/catalog.ts";
import type { Authorization } from "../model/diagnosis.ts";
import type { Exchange, Received } from "../model/exchange.ts";
import type { Closing, Opened } from "../model/session.ts";
import type { Resolved } from "./resolve.ts";

/** The revision that the oldest clients ask for, some of them no other. */
export const OLDEST = "2024-11-05";

/** All that was seen of a target. Recognisers read it and nothing else. */
export type Evidence = StdioEvidence | HttpEvidence;

/** One conversation: an opening in one revision, and what followed where it succeeded. */
export interface Talk {
  readonly revision: RevisionId;
  readonly opened: Opened;
  /** Whether any JSON-RPC message came. */
  readonly heard: boolean;
  /** What the server said unasked. */
  readonly stray: readonly Received[];
  /** The revision's control request under the id "1", a text that looks like a number. */
  readonly control?: Exchange;
  /** resources/templates/list, where resources are declared: it may be unknown. */
  readonly templates?: Exchange;
  /** The lists that the server declares. */
  readonly walks: readonly Walk[];
  /** Lists that were not walked to their end within the time there was. */
  readonly unfinished: readonly string[];
}

export interface StdioEvidence {
  readonly kind: "stdio";
  readonly words: readonly string[];
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Names of the variables that the process was given. */
  readonly variables: readonly string[];
  readonly resolved: Resolved;
  /** In order; at least one. */
  readonly runs: readonly Run[];
}

/**
 * One process and what it was asked. initialize and server/discover: an opening in the manner of that revision.
 * framed: initialize behind a Content-Length header. crlf: initialize of OLDEST on a line that ends in CR LF.
 */
export interface Run {
  readonly how: "initialize" | "server/discover" | "framed" | "crlf";
  readonly exchange: Exchange;
  readonly heard: boolean;
  readonly talk?: Talk;
  /** The first bytes of stdout, and how many there were in all. */
  readonly stdout: Uint8Array;
  readonly bytes: number;
  /** Milliseconds from the start to the first byte of stdout. */
  readonly firstByte?: number;
  readonly stderr: string;
  /** How the process ended by itself, in words. */
  readonly ended?: string;
  readonly closing: Closing | undefined;
  /** What came on stdout only after stdin was closed. */
  readonly late: readonly Received[];
  /** Milliseconds that the answer was waited for. */
  readonly patience: number;
}

export interface HttpEvidence {
  readonly kind: "http";
  readonly url: URL;
  readonly sse: boolean;
  readonly credential: boolean;
  readonly loopback: boolean;
  readonly proxy?: string;
  /** Proxy variables of the environment that stand for this URL; they are not used. */
  readonly proxyVariables: readonly string[];
  readonly insecure: boolean;
  readonly connections: readonly Connected[];
  /** Openings, in order; none where no connection was made. */
  readonly talks: readonly Talk[];
  readonly hops: readonly Hop[];
  /** Places of the same origin that were tried because the target's own gave no answer. */
  readonly places: readonly Place[];
  /** Whether the target's own URL opens a stream of HTTP+SSE (2024-11-05). */
  readonly speaksSse?: boolean;
  /** The opening once more, asking for OLDEST. */
  readonly oldest?: Exchange;
  /** The opening once more, with Host as the server's own machine would send it. */
  readonly asLocalhost?: Exchange;
  /** The opening once more, with the server's own Origin. */
  readonly withOrigin?: Exchange;
  readonly authorization?: Authorization;
  readonly variations: Variations;
}

/** The ways a request can differ without saying anything else. Sent only where the plain one is answered. */
export interface Variations {
  /** Content-Type: application/json; charset=utf-8 */
  readonly charset?: Exchange;
  /** Accept in the other order. */
  readonly accept?: Exchange;
  readonly get?: Exchange;
  readonly preflight?: Exchange;
}

/** How far a connection came, before any HTTP. */
export interface Connected {
  readonly address?: string;
  /** Milliseconds at which each was done. */
  readonly resolved?: number;
  readonly connected?: number;
  readonly ready?: number;
  readonly trouble?: { readonly at: "dns" | "tcp" | "proxy" | "tls"; readonly code: string; readonly message: string };
  readonly certificate?: Certificate;
  /** What the port says to plain HTTP, where TLS failed on it. */
  readonly plain?: Exchange;
  /** Whether the port speaks TLS, where plain HTTP failed on it. */
  readonly secure?: boolean;
}

export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly from: string;
  readonly to: string;
  readonly names: string;
}

/** One redirect, and what its place said where it was asked: only within the origin, and without credentials. */
export interface Hop {
  readonly from: string;
  readonly status: number;
  readonly location: string;
  readonly answer?: string;
  /** Whether an MCP server answers there, locked or not. */
  readonly mcp: boolean;
}

export interface Place {
  readonly url: string;
  readonly answer: string;
  readonly found: "mcp" | "sse" | "locked" | "nothing";
}
