import { type Exchange, header } from "../model/exchange.ts";

/** Seconds that a Retry-After may make us wait. */
const LONGEST = 5;
const OTHERWISE = 0.5;

/** Sends, and once more after a 429, which says nothing of the message. The last answer is the one that counts. */
export async function patiently(send: () => Promise<Exchange>): Promise<Exchange> {
  const first = await send();
  if (first.http?.status !== 429) return first;
  const asked = Number(header(first.http.headers, "retry-after") ?? Number.NaN);
  const seconds = Number.isFinite(asked) && asked >= 0 ? Math.min(asked, LONGEST) : OTHERWISE;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return send();
}
