import type { Exchange, Transcript } from "../model/exchange.ts";

/** Numbers exchanges, tells the time since the run began, and keeps what was said. */
export interface Recorder {
  next(): number;
  /** A number for a further session or process. */
  session(): number;
  /** Milliseconds since the run began. */
  now(): number;
  record(exchange: Exchange): Exchange;
  /** All exchanges so far, in order of sending. */
  transcript(): Transcript;
}

export function createRecorder(clock: () => number): Recorder {
  const began = clock();
  const exchanges: Exchange[] = [];
  let last = 0;
  let sessions = 0;
  return {
    next: () => ++last,
    session: () => ++sessions,
    now: () => clock() - began,
    record(exchange) {
      exchanges.push(Object.freeze(exchange));
      return exchange;
    },
    transcript: () => [...exchanges].sort((a, b) => a.n - b.n),
  };
}
