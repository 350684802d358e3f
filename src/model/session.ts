import type { Exchange, Header, HttpReply, Kind, Received } from "./exchange.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/** An exchange whose awaited response arrived. */
export type Answered = Exchange & { readonly reply: Message };
/** An exchange whose HTTP response arrived. */
export type Responded = Exchange & { readonly http: HttpReply };

/** How a session of its own is opened. */
export interface OpenOptions {
  /** Client capabilities to declare. Default `{}`. */
  readonly capabilities?: JsonObject;
  /** The revision to ask for. Default: the one that is judged. */
  readonly protocolVersion?: string;
  /** Whether to hold a GET stream open (HTTP). Default false. */
  readonly listen?: boolean;
  /** Whether to say `notifications/initialized`. Default true. */
  readonly initialized?: boolean;
  /** Whether to leave the opening out, so that nothing is sent before the first message. Default false. */
  readonly bare?: boolean;
}

/** What `attributed` should know about the probe. */
export interface Attribution {
  /** The known-good sibling to send beside it. Default: the revision's control request. */
  readonly sibling?: () => Promise<Exchange>;
  /** JSON-RPC codes with which even a 5xx is the server's own answer to this probe. */
  readonly codes?: readonly number[] | "any";
}

/** A conversation with the server in one revision's manner: handshake done, requests stamped. */
export interface Session {
  readonly transport: Kind;
  /** Sends a request and returns its reply, result or error. Throws `Blocked` or `Failed` by the general rules. */
  request(method: string, params?: JsonObject): Promise<Answered>;
  /** Sends a request and returns whatever happened, silence included. */
  send(method: string, params?: JsonObject, options?: SendOptions): Promise<Exchange>;
  notify(method: string, params?: JsonObject): Promise<Exchange>;
  /** Any JSON value as one message; a response of ours, a batch, a message without members. Awaits `options.id`. */
  say(message: Json, options?: SendOptions): Promise<Exchange>;
  /** A request as this session would send it, for raw bodies. Default: the control request, with a fresh id. */
  compose(method?: string, params?: JsonObject, id?: Json): JsonObject;
  /** The revision's control request, which every live server answers. */
  control(): Promise<Exchange>;
  /** The exchange again if it can be attributed to the server; else throws `Blocked` or `Failed`. */
  attributed(exchange: Exchange, how?: Attribution): Promise<Exchange>;
  /** All that this session heard unasked so far: stdout lines, or events of its GET stream. */
  heard(): readonly Received[];
  /** What the opening of this session was answered with. */
  opened(): Promise<Opened>;
  close(): Promise<Closing | undefined>;
}

export interface SendOptions {
  /** The id to use, or to await. Default: one that was never used in this run. */
  readonly id?: Json;
  readonly timeout?: number;
  /** HTTP: read on after the reply until the body ends, this many milliseconds at most. Default: stop at the reply. */
  readonly linger?: number;
  /** Take a 429 as it is instead of sending once more. */
  readonly once?: boolean;
}

/** The result of an opening. */
export interface Opened {
  readonly exchange: Exchange;
  /** The exchange of `notifications/initialized`, where one was sent. */
  readonly initialized?: Exchange;
  readonly negotiated?: string;
  readonly sessionId?: string;
  /** Why the session is unusable, where it is. */
  readonly refusal?: string;
}

/** How a process ended when its session was closed. */
export interface Closing {
  readonly how: "stdin" | "SIGTERM" | "SIGKILL" | "gone";
  readonly code: number | null;
  readonly signal: string | null;
  readonly ms: number;
}

/** A raw HTTP request. It starts from the standard frame of the session, unless told otherwise. */
export interface HttpInit {
  /** Default POST. */
  readonly method?: string;
  /** Another path, or an absolute URL on the same host. Default: the target's. */
  readonly url?: string;
  /** Headers to set in the frame, replacing those of the same name. */
  readonly set?: Readonly<Record<string, string>>;
  /** Headers to leave out of the frame. */
  readonly drop?: readonly string[];
  /** Which frame: in-session (default), outside any session, or none at all. */
  readonly frame?: "session" | "sessionless" | "none";
  readonly body?: string;
  /** The message that the frame's headers are to fit, where it isn't the one in the body. */
  readonly like?: JsonObject;
  /** Await the response with this id; else the end of the body, or the headers of an open stream. */
  readonly id?: Json;
  /** Stop after the headers. */
  readonly headersOnly?: boolean;
  readonly timeout?: number;
  readonly linger?: number;
  /** Send it over a socket of our own, past node:http. */
  readonly raw?: boolean;
  readonly once?: boolean;
}

/** An open HTTP stream, read while it lasts. */
export interface Stream {
  /** The headers, or undefined if none came. */
  readonly head: Promise<{ readonly status: number; readonly headers: readonly Header[] } | undefined>;
  received(): readonly Received[];
  close(): Promise<Exchange>;
}

/** Where the server is. */
export interface TargetView {
  readonly kind: Kind;
  /** Whether it is spoken to by HTTP+SSE (2024-11-05). */
  readonly sse: boolean;
  /** Without user info; undefined on stdio. */
  readonly url?: URL;
  readonly loopback: boolean;
  /** Whether the user gave an Authorization header. */
  readonly credential: boolean;
  /** The words of the command line; empty on HTTP. */
  readonly command: readonly string[];
}

/** The server under test, as much of it as any check may use. */
export interface Server extends Session {
  readonly target: TargetView;
  /** Milliseconds to stay silent and listen where no fence is possible. */
  readonly quiet: number;
  /** Whole numbers below `below`, not to be guessed by the server. */
  random(below: number): number;
  /** A fresh text for ids and names that nobody has used. */
  unique(): string;
  /** A further session (stdio: a process), closed with the check. Not for `shared`. */
  open(options?: OpenOptions): Promise<Server>;
  /** Whether tools annotated as destructive may be called. */
  readonly allowDestructive: boolean;
  /** A message for the run's warnings. */
  warn(text: string): void;
  /** Opens a listener of ours on 127.0.0.1, closed with the check. */
  listenLocally(): Promise<LocalListener>;
}

/** A place on this machine, at a random path, that only a server which fetches what it is told can find. */
export interface LocalListener {
  readonly url: string;
  /** What it answers with. */
  readonly body: string;
  /** The requests for exactly that place so far. */
  hits(): readonly string[];
  close(): Promise<void>;
}

/** What `uses: "http"` adds. */
export interface RawHttp {
  http(init: HttpInit): Promise<Exchange>;
  stream(init: HttpInit): Stream;
}

/** What `uses: "line"` adds. */
export interface RawLine {
  /** Writes bytes to stdin in the given pieces; awaits the response with `id`, or nothing. */
  line(pieces: readonly (string | Uint8Array)[], options?: SendOptions): Promise<Exchange>;
}
