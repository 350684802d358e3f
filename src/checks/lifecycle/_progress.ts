import type { Call } from "../../facts/tools.ts";
import type { Exchange, Received } from "../../model/exchange.ts";
import { at, kindOf, same } from "../../model/json.ts";
import { fail, type Outcome } from "../../model/outcome.ts";
import type { Session } from "../../model/session.ts";
import { shown } from "./_echo.ts";
import { isServed, kindOfAnswer } from "./_kind.ts";

/** A call that carried a token, and the progress that came with it. */
export interface TokenCall {
  readonly token: string | number;
  readonly exchange: Exchange;
  readonly reports: number;
  /** What is wrong with it. */
  readonly complaint: Outcome | undefined;
}

/** Milliseconds to read on after the response where the server leaves the stream open. */
const LINGER = 1000;

export const isProgress = ({ message }: Received): boolean => message?.method === "notifications/progress";
export const tokenIn = ({ message }: Received): unknown => at(message?.params, "progressToken");

/** Makes a call again, this time with a token. */
export async function callWithToken(session: Session, made: Call, token: string | number): Promise<TokenCall> {
  const plain = { name: made.tool.name, arguments: made.args };
  const known = session.heard().length;
  const exchange = await session.attributed(
    await session.send("tools/call", { ...plain, _meta: { progressToken: token } }, { linger: LINGER }),
    { codes: "any" },
  );
  const came = reportsOf(exchange, session.heard().slice(known));
  const call = { token, exchange, reports: came.length };
  const wrong = complaint(exchange, came, token);
  if (wrong !== undefined || isServed(exchange) || !isServed(made.exchange)) return { ...call, complaint: wrong };
  const again = await session.send("tools/call", plain);
  return {
    ...call,
    complaint: isServed(again)
      ? fail(`${kindOfAnswer(again)}, as without a token`, kindOfAnswer(exchange), exchange, again)
      : undefined,
  };
}

/** A complaint about progress that came for a finished call while others were made. */
export function late(session: Session, finished: readonly TokenCall[]): Outcome | undefined {
  const found = finished.find(({ token, exchange }) =>
    session.heard().some((each) => isProgress(each) && same(tokenIn(each), token) && each.at > answeredAt(exchange)),
  );
  return found === undefined ? undefined : fail(...AFTER, found.exchange);
}

// --- internal ---

const AFTER = ["no progress after the response", "a report of progress after it"] as const;

interface Report {
  readonly each: Received;
  readonly late: boolean;
}

const answeredAt = ({ received, reply }: Exchange): number =>
  received.find(({ message }) => message !== undefined && message === reply)?.at ?? Number.POSITIVE_INFINITY;

/** The progress on the stream of the call, then that beside it. */
function reportsOf(exchange: Exchange, beside: readonly Received[]): readonly Report[] {
  const { received, reply } = exchange;
  const answered = received.findIndex(({ message }) => message !== undefined && message === reply);
  const on = received.map((each, index) => ({ each, late: answered >= 0 && index > answered }));
  const off = beside.map((each) => ({ each, late: each.at > answeredAt(exchange) }));
  return [...on, ...off].filter(({ each }) => isProgress(each));
}

function complaint(exchange: Exchange, reports: readonly Report[], token: unknown): Outcome | undefined {
  let last = Number.NEGATIVE_INFINITY;
  for (const { each, late } of reports) {
    const found = tokenIn(each);
    if (!same(found, token)) return fail(`the progressToken ${shown(token)}`, `the token ${shown(found)}`, exchange);
    if (late) return fail(...AFTER, exchange);
    const progress = at(each.message?.params, "progress");
    if (typeof progress !== "number") return fail("a number for progress", kindOf(progress), exchange);
    if (progress <= last) return fail(`progress above ${last}`, `progress ${progress}`, exchange);
    last = progress;
  }
  return undefined;
}
