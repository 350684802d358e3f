import { type Exchange, header } from "../model/exchange.ts";
import { rpcError } from "../model/message.ts";
import { Blocked, Failed, fail } from "../model/outcome.ts";
import type { Attribution, TargetView } from "../model/session.ts";

/** The root causes that block rows, as reports name them. */
export const CAUSE = {
  authorization: "authorization",
  forbidden: "forbidden",
  rateLimit: "rate limit",
  silence: "the server stopped answering",
  unreachable: "unreachable",
} as const;

/** Whether a 401 or 403 says that a credential is missing or refused, and nothing of the message. */
export function isAuthorizationRefusal(exchange: Exchange, target: TargetView): boolean {
  const status = exchange.http?.status;
  if (status === 401) return true;
  if (status !== 403) return false;
  const challenge = header(exchange.http?.headers, "www-authenticate") ?? "";
  return /^\s*bearer\b/i.test(challenge) && (!target.credential || /\berror\s*=/i.test(challenge));
}

/** Whether the server answered a known-good request. */
export const isServed = (exchange: Exchange): boolean =>
  exchange.reply !== undefined && (exchange.http === undefined || exchange.http.status < 400);

/**
 * Applies the general rules: an exchange comes back only if what arrived is the server's own answer.
 * Throws `Blocked` where it can't be attributed, and `Failed` for silence, death and a 5xx.
 */
export async function attribute(
  exchange: Exchange,
  { sibling, codes }: Attribution,
  { target, control, timeout }: { target: TargetView; control: () => Promise<Exchange>; timeout: number },
): Promise<Exchange> {
  const what = nameOf(exchange);
  if (exchange.end === "unreachable") {
    // The same words and root cause as the opening's, so that reports fold the two together.
    const by = exchange.sender === "opening" ? "opening" : CAUSE.unreachable;
    throw new Blocked(`the server can't be reached: ${exchange.cause ?? "no connection"}`, by, exchange);
  }
  if (exchange.end === "closed") {
    const how = exchange.cause ?? "no reason given";
    throw new Failed(fail(`an answer to ${what}`, `the server went away: ${how}`, exchange), true);
  }
  if (exchange.end === "timeout") {
    // On stdio the answer to the first control may end a line that an earlier answer left torn; ask once more.
    if (isServed(await control()) || (target.kind === "stdio" && isServed(await control()))) {
      // Timers are late by a little; a limit of the check's own is told as it was.
      const within = exchange.ms < timeout * 1.2 ? timeout : Math.round(exchange.ms);
      throw new Failed(
        fail(`a reply to ${what}`, `no reply within ${within} ms while the control request was answered`, exchange),
      );
    }
    throw new Blocked(`${what} was not answered, nor was the control request after it`, CAUSE.silence, exchange);
  }
  const status = exchange.http?.status;
  if (status === undefined) return exchange;
  if (isAuthorizationRefusal(exchange, target)) {
    throw new Blocked(
      target.credential
        ? `HTTP ${status}: the server refuses the credential`
        : `HTTP ${status}: the server wants a credential (pass --auth)`,
      CAUSE.authorization,
      exchange,
    );
  }
  if (status === 429) throw new Blocked("HTTP 429 again after one re-send", CAUSE.rateLimit, exchange);
  if (status === 403 && !isServed(await (sibling ?? control)())) {
    throw new Blocked("HTTP 403, and a known-good request beside it is refused too", CAUSE.forbidden, exchange);
  }
  const code = rpcError(exchange.reply)?.code;
  const own = code !== undefined && (codes === "any" || codes?.includes(code) === true);
  if (status >= 500 && !own) {
    throw new Failed(fail(`an answer to ${what} that is no server error`, `HTTP ${status}`, exchange));
  }
  return exchange;
}

/** What was asked, as a noun for sentences. */
export function nameOf(exchange: Exchange): string {
  const method = exchange.request?.method;
  if (typeof method === "string") return method;
  return exchange.sent.http === undefined ? "the line sent" : `${exchange.sent.http.method} of the body sent`;
}
