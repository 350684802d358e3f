import type { Exchange } from "../../model/exchange.ts";
import { isResponse } from "../../model/message.ts";
import { Blocked, fail, type Outcome } from "../../model/outcome.ts";
import type { Session } from "../../model/session.ts";
import { kindOfAnswer } from "./_kind.ts";

/** The control request as it is answered before something that is to do no harm. */
export async function servedBefore(session: Session): Promise<Exchange> {
  const before = await session.attributed(await session.control(), { codes: "any" });
  if (before.reply === undefined) throw new Blocked("the control request itself is not answered", "ping", before);
  return before;
}

/** A complaint if it is answered in another way afterwards. */
export async function servedAfter(
  session: Session,
  before: Exchange,
  sent: readonly Exchange[],
): Promise<Outcome | undefined> {
  const after = await session.attributed(await session.control(), { codes: "any" });
  const expected = kindOfAnswer(before);
  const actual = kindOfAnswer(after);
  return actual === expected
    ? undefined
    : fail(`${expected} of the request after it, as before`, actual, after, ...sent);
}

/** A response that came back for a notification, if one did. */
export const responseTo = (exchange: Exchange) =>
  exchange.received.find(({ message }) => message !== undefined && isResponse(message));
