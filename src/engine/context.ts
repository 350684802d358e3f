import type { Header } from "../model/exchange.ts";
import type { TargetView } from "../model/session.ts";
import type { ParamHeaders, Revision } from "../revisions/revision.ts";
import type { TlsOptions } from "../wire/connect.ts";
import type { Recorder } from "../wire/recorder.ts";
import type { Command } from "../wire/stdio.ts";
import { createPatience, type Patience } from "./patience.ts";
import type { Adoptable } from "./probe.ts";

/** The server under test, and how to get to it. */
export type Target =
  | {
      readonly kind: "http";
      readonly url: URL;
      /** The user's own headers, sent with every request. */
      readonly headers: readonly Header[];
      readonly tls: TlsOptions;
      /** Whether to speak the HTTP+SSE transport of 2024-11-05 in place of Streamable HTTP. */
      readonly sse?: boolean;
    }
  | { readonly kind: "stdio"; readonly command: Command; readonly stderr?: (line: string) => void };

/** Milliseconds. */
export interface Times {
  /** Until a request is answered. */
  readonly request: number;
  /** Until the first answer of the run. */
  readonly startup: number;
  /** Until the first answer to the probe for the era over HTTP, which is asked once more. */
  readonly preflight: number;
  /** Listening where no fence is possible. */
  readonly quiet: number;
  /** Between closing stdin, SIGTERM and SIGKILL. */
  readonly grace: number;
}

/** What all sessions of a run share. */
export interface Context {
  readonly revision: Revision;
  readonly target: Target;
  readonly view: TargetView;
  readonly recorder: Recorder;
  readonly times: Times;
  /** Whether tools annotated as destructive may be called. */
  readonly allowDestructive: boolean;
  random(below: number): number;
  /** An integer id that was never used in this run. */
  id(): number;
  warn(text: string): void;
  /** Whether the user has ended the run: nothing is started any more. */
  stopped(): boolean;
  readonly patiently: Patience;
  readonly paramHeaders: ParamHeaders;
  /** A process that already runs, for the first session that wants one. */
  adopt?: Adoptable | undefined;
  /** Farewells under way, which no check waits for but the run does. */
  readonly farewells: Set<Promise<unknown>>;
}

/** Milliseconds for a later opening of the run: a process has to start anew, and that takes as long as the first time. */
export const reopening = ({ target, times }: Context): number =>
  target.kind === "stdio" ? times.startup : times.request;

/** Host names and addresses that mean this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

export function viewOf(target: Target): TargetView {
  if (target.kind === "stdio") {
    const { command, args } = target.command;
    return { kind: "stdio", sse: false, loopback: true, credential: false, command: [command, ...args] };
  }
  const url = new URL(target.url.href);
  url.username = "";
  url.password = "";
  return {
    kind: "http",
    sse: target.sse === true,
    url,
    loopback: isLoopback(url.hostname),
    credential: target.headers.some(([name]) => name.toLowerCase() === "authorization"),
    command: [],
  };
}

/** What sessions outside a run of the catalog share. Ids begin at 0, as those of many clients do. */
export function createContext(
  own: Pick<Context, "revision" | "target" | "recorder" | "times"> & Partial<Context>,
): Context {
  let last = -1;
  return {
    view: viewOf(own.target),
    allowDestructive: false,
    random: () => 0,
    id: () => ++last,
    warn() {},
    stopped: () => false,
    patiently: createPatience(own.stopped ?? (() => false)),
    paramHeaders: new Map(),
    farewells: new Set(),
    ...own,
  };
}
