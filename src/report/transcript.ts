import type { Exchange, Header, Received, SseEvent, Transcript } from "../model/exchange.ts";
import { json } from "../text/escape.ts";
import type { Redact } from "../text/redact.ts";

/** One line of a transcript: one thing sent and all that came back for it. Members without a value are left out. */
export interface TranscriptLine {
  /** Its number, by which reports cite it. */
  readonly exchange: number;
  /** Which session (HTTP) or process (stdio) of the run. */
  readonly session: number;
  /** The check or the fact that sent it; "server" for what came unasked. */
  readonly sender: string;
  /** What was sent; absent where the server spoke by itself. */
  readonly sent?: {
    readonly text: string;
    readonly method?: string;
    readonly url?: string;
    readonly headers?: readonly Header[];
  };
  /** How it ended: reply, complete, timeout, closed, unreachable, none-due or unsolicited. */
  readonly end: Exchange["end"];
  readonly cause?: string;
  readonly ms: number;
  /** In order of arrival; `at` in milliseconds since the run began. */
  readonly received: readonly {
    readonly from: Received["from"];
    readonly at: number;
    readonly text: string;
    readonly problem?: string;
    readonly event?: SseEvent;
  }[];
  readonly http?: {
    readonly status: number;
    readonly headers: readonly Header[];
    /** Where it is not among `received`. */
    readonly body?: string;
    readonly bytes: number;
    readonly ended: boolean;
    /** Lines of an SSE stream that are none of its grammar. */
    readonly badLines?: readonly string[];
    /** Events of an SSE stream without data, such as one that only gives an id. */
    readonly emptyEvents?: readonly SseEvent[];
  };
  /** Characters that were left out of this line because a server sent too many, or the wire kept less than it sent. */
  readonly cut?: number | true;
}

/** All exchanges as JSON lines, in order of sending, without secrets. Empty where nothing was said. */
export function transcriptLines(transcript: Transcript, redact: Redact): string {
  return transcript.map((exchange) => `${json(lineOf(exchange, redact))}\n`).join("");
}

// --- internal ---

/** Characters kept of all that came in one exchange, and of each small field. */
const MOST = 256 * 1024;
const MOST_OF_FIELD = 4096;

function lineOf(exchange: Exchange, redact: Redact): TranscriptLine {
  const { n, session, sender, sent, received, http, end, cause } = exchange;
  const kept = createBudget(redact);
  const headers = (list: readonly Header[]): readonly Header[] =>
    list.map(([name, value]) => [kept.field(name), kept.field(value)]);
  const event = (each: SseEvent): SseEvent =>
    Object.fromEntries(Object.entries(each).map(([name, value]) => [name, kept.field(String(value))]));
  const line = {
    exchange: n,
    session,
    sender,
    ...(end === "unsolicited"
      ? {}
      : {
          sent: {
            ...(sent.http === undefined
              ? {}
              : { method: sent.http.method, url: kept.field(sent.http.url), headers: headers(sent.http.headers) }),
            text: kept.text(sent.text),
          },
        }),
    end,
    ...(cause === undefined ? {} : { cause: kept.field(cause) }),
    ms: Math.round(exchange.ms),
    received: received.map((each) => ({
      from: each.from,
      at: Math.round(each.at),
      text: kept.text(each.text),
      ...(each.problem === undefined ? {} : { problem: each.problem }),
      ...(each.event === undefined ? {} : { event: event(each.event) }),
    })),
    ...(http === undefined
      ? {}
      : {
          http: {
            status: http.status,
            headers: headers(http.headers),
            ...(received.length > 0 || http.body === "" ? {} : { body: kept.text(http.body) }),
            bytes: http.bytes,
            ended: http.ended,
            ...(http.badLines.length === 0 ? {} : { badLines: http.badLines.map((each) => kept.field(each)) }),
            ...emptyEvents(http.events, event),
          },
        }),
  };
  const lost = http?.truncated === true || received.some(({ problem }) => problem === "too-long");
  const cut = kept.cut();
  return cut > 0 ? { ...line, cut } : lost ? { ...line, cut: true } : line;
}

function emptyEvents(events: readonly SseEvent[], shown: (event: SseEvent) => SseEvent) {
  const empty = events.filter(({ data }) => data === undefined || data === "");
  return empty.length === 0 ? {} : { emptyEvents: empty.map(shown) };
}

/** Redacts, and keeps what a server sent within bounds. */
function createBudget(redact: Redact) {
  let left = MOST;
  let lost = 0;
  const first = (text: string, max: number): string => {
    // Redacted before the cut, or half a secret could remain; and after it, or the cut could make one.
    const whole = redact(text);
    if (whole.length <= max) return whole;
    lost += whole.length - max;
    return redact(whole.slice(0, max));
  };
  const take = (text: string, most: number): string => {
    const kept = first(text, Math.min(left, most));
    left -= Math.min(left, kept.length);
    return kept;
  };
  return {
    text: (text: string) => take(text, MOST),
    field: (text: string) => take(text, MOST_OF_FIELD),
    cut: () => lost,
  };
}
