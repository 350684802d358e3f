import type { Recorder } from "../wire/recorder.ts";

/** The end of a run before its time. */
export interface Interruption {
  stopped(): boolean;
  /** Waits for the work, or no longer than until the run is stopped: what it still does then is of no account. */
  unless(work: Promise<unknown>): Promise<void>;
  /** To be called when the run is over. */
  off(): void;
}

/** Has the wire let go of everything when the signal comes: connections, processes, what is waited for. */
export function onAbort(signal: AbortSignal | undefined, recorder: Recorder): Interruption {
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const end = () => {
    recorder.stop();
    stop();
  };
  if (signal?.aborted === true) end();
  else signal?.addEventListener("abort", end, { once: true });
  return {
    stopped: () => recorder.stopped(),
    unless: async (work) => {
      await Promise.race([work, stopped]);
    },
    off: () => signal?.removeEventListener("abort", end),
  };
}
