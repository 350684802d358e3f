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
  /** Ends at once whatever is under way in the run; what is started or recorded from then on comes to nothing. */
  stop(): void;
  stopped(): boolean;
  /** Has `end` called when the run is stopped, which may be at once; returns what calls that off. */
  onStop(end: () => void): () => void;
}

export function createRecorder(clock: () => number): Recorder {
  const began = clock();
  const exchanges: Exchange[] = [];
  let last = 0;
  let sessions = 0;
  let over = false;
  const ends = new Set<() => void>();
  return {
    next: () => ++last,
    session: () => ++sessions,
    now: () => clock() - began,
    record(exchange) {
      // What was cut off by us says nothing of the server.
      if (!over) exchanges.push(Object.freeze(exchange));
      return exchange;
    },
    transcript: () => [...exchanges].sort((a, b) => a.n - b.n),
    stop() {
      over = true;
      for (const end of ends) end();
      ends.clear();
    },
    stopped: () => over,
    onStop(end) {
      // Not before the caller has what it needs to end.
      if (over) queueMicrotask(end);
      else ends.add(end);
      return () => ends.delete(end);
    },
  };
}
