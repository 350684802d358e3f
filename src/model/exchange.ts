import type { Message } from "./message.ts";

export type Kind = "http" | "stdio";
export type Header = readonly [name: string, value: string];

/** One message-like thing that came from the server: a line of stdout, an HTTP body, or one SSE event. */
export interface Received {
  /** The exact text, capped; where it is no valid UTF-8, decoded with U+FFFD. */
  readonly text: string;
  /** The parsed JSON object, when it is one. */
  readonly message?: Message;
  /** Any other JSON value that the text parses to (an array, a string …). */
  readonly json?: unknown;
  readonly from: "body" | "sse" | "stdout";
  /** What keeps it from being a message on this transport. */
  readonly problem?: "not-json" | "not-an-object" | "invalid-utf8" | "too-long" | "unterminated";
  /** The fields of its SSE event; `id` and `retry` only where sent. */
  readonly event?: { readonly name?: string; readonly id?: string; readonly retry?: string };
  /** Milliseconds since the run began. */
  readonly at: number;
}

/** What an HTTP response said beside its messages. */
export interface HttpReply {
  readonly status: number;
  readonly headers: readonly Header[];
  /** The body as text, capped; empty for SSE, whose events are in `received`. */
  readonly body: string;
  /** Body bytes that were read. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** Whether the server ended the body (false: we stopped reading, or it broke). */
  readonly ended: boolean;
  /** Lines of an SSE stream that are no field of the SSE grammar. */
  readonly badLines: readonly string[];
  /** SSE events seen, priming events and those without data included. */
  readonly events: readonly SseEvent[];
  /** Data at the end of an SSE stream that no blank line turned into an event, capped. */
  readonly unfinished?: string;
}

/** One dispatched block of an SSE stream, data or none. */
export interface SseEvent {
  readonly name?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly data?: string;
}

/** What was sent, in the words of its transport. */
export interface Sent {
  /** The exact bytes as text: a line on stdin without its newline, or an HTTP body. */
  readonly text: string;
  readonly http?: { readonly method: string; readonly url: string; readonly headers: readonly Header[] };
}

/**
 * How an exchange ended.
 * reply: the awaited response came. complete: all that was asked for came (headers, a status, the end of a body).
 * timeout: silence. closed: the process ended or the connection broke before that. unreachable: nobody listens there.
 * none-due: nothing is owed, as for a notification on stdio. unsolicited: the server spoke by itself.
 */
export type End = "reply" | "complete" | "timeout" | "closed" | "unreachable" | "none-due" | "unsolicited";

/** One thing sent and all that came back for it. Never changed once closed; `n` is how reports cite it. */
export interface Exchange {
  readonly n: number;
  /** Which session (HTTP) or process (stdio) of the run. */
  readonly session: number;
  /** The id of the check or the name of the fact that sent it; "server" for what came unasked. */
  readonly sender: string;
  readonly sent: Sent;
  readonly request?: Message;
  /** In order of arrival; the awaited reply, if any, is among them. */
  readonly received: readonly Received[];
  readonly reply?: Message;
  readonly http?: HttpReply;
  readonly end: End;
  /** Why it ended so, where that isn't plain: an error code in words, an exit status. */
  readonly cause?: string;
  readonly ms: number;
}

/** Everything said during the run, in order of sending. Reviews read it; nobody edits it. */
export type Transcript = readonly Exchange[];

/** The value of a response header (names compared without case), or undefined. */
export function header(headers: readonly Header[] | undefined, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers?.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** The media type of a response without its parameters, in lower case; "" where none was sent. */
export const mediaType = (http: HttpReply | undefined): string =>
  (header(http?.headers, "content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
