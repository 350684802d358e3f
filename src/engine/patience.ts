import { type Exchange, header } from "../model/exchange.ts";

/** Sends, and once more after a 429, which says nothing of the message. The last answer is the one that counts. */
export type Patience = (send: () => Promise<Exchange>) => Promise<Exchange>;

/**
 * The patience of one run: it waits as long as a Retry-After asks, up to a minute at a time and two in all. Nobody waits
 * for a server that asks for more, or that refuses again after it was waited for.
 */
export function createPatience(stopped: () => boolean): Patience {
  let left = IN_ALL;
  return async (send) => {
    const first = await send();
    if (first.http?.status !== 429) return first;
    const asked = secondsOf(header(first.http.headers, "retry-after"));
    const waited = asked <= Math.min(LONGEST, left) ? asked : OTHERWISE;
    // Those that wait at the same time wait together, so that the sum is an upper bound.
    left -= waited;
    await pause(waited * 1000, stopped);
    const second = await send();
    if (second.http?.status === 429) left = Math.min(left, SHORT);
    return second;
  };
}

// --- internal ---

/** Seconds. */
const LONGEST = 60;
const IN_ALL = 120;
/** What is still waited for where waiting was in vain. */
const SHORT = 5;
const OTHERWISE = 0.5;

/** RFC 9110 10.2.3: seconds, or a date, which few servers send. */
function secondsOf(text: string | undefined): number {
  const seconds = Number(text ?? OTHERWISE);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : OTHERWISE;
}

async function pause(ms: number, stopped: () => boolean): Promise<void> {
  for (let left = ms; left > 0 && !stopped(); left -= SLICE) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, SLICE)));
  }
}

/** Milliseconds between looks at whether the run has been stopped. */
const SLICE = 250;
