import type { Transcript } from "../model/exchange.ts";
import { isAuthorizationRefusal } from "./attribution.ts";
import { speaksSse } from "./channel-sse.ts";
import type { Context } from "./context.ts";

/** Said where the process dies with server/discover or without. */
export const STILLBORN =
  "The server's process ends at start-up, with server/discover or without: check the command, its arguments and its environment.";

/** A URL that refuses initialize may be one of the older transport. */
export async function legacyHint(context: Context, refusal: string | undefined): Promise<string | undefined> {
  const { target, recorder } = context;
  if (refusal === undefined || target.kind !== "http" || target.sse === true) return undefined;
  const opening = recorder.transcript().find(({ sender }) => sender === "opening");
  const status = opening?.http?.status ?? 0;
  if (status < 400 || status >= 500 || status === 401 || !(await speaksSse(context, target))) return undefined;
  return `${target.url.href} speaks the HTTP+SSE transport of 2024-11-05: test it with --transport sse.`;
}

/** Why the target could not be opened, with the end of its process. */
export function troubleOf(refusal: string | undefined, ended: string | undefined): string | undefined {
  if (refusal === undefined) return undefined;
  return ended === undefined || refusal.includes(ended) ? refusal : `${refusal}; the process ${ended}`;
}

/** Whether the endpoint itself gave nothing but refusals of the credential; documents beside it don't count. */
export const onlyRefused = (transcript: Transcript, view: Context["view"]): boolean => {
  const answered = transcript.filter(({ http, sent }) => http !== undefined && sent.http?.url === view.url?.href);
  return answered.length > 0 && answered.every((exchange) => isAuthorizationRefusal(exchange, view));
};
