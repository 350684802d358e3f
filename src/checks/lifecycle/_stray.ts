import type { Exchange, Transcript } from "../../model/exchange.ts";
import { isObject, same } from "../../model/json.ts";
import { isResponse } from "../../model/message.ts";

/** A response that nobody asked for, and where it came. */
export interface Stray {
  readonly exchange: Exchange;
  readonly id: unknown;
  /** The id of the request it came for, where it came as the answer to one. */
  readonly due?: unknown;
  /** Whether it is the body of an HTTP refusal. */
  readonly refusal: boolean;
}

/** The responses with an id that was never sent before on that session, or was not the one sent there. */
export function strays(transcript: Transcript): readonly Stray[] {
  const found: Stray[] = [];
  /** What each session has sent so far: ids that can be read, and text that may hide one. */
  const sessions = new Map<number, { readonly ids: unknown[]; unread: string }>();
  for (const exchange of transcript) {
    const before = sessions.get(exchange.session) ?? { ids: [], unread: "" };
    sessions.set(exchange.session, before);
    const { ids, unread } = idsIn(exchange.sent.text);
    before.ids.push(...ids);
    before.unread += unread;
    const due = exchange.request?.id;
    for (const { message } of exchange.received) {
      if (message === undefined || message === exchange.reply || !isResponse(message) || (message.id ?? null) === null)
        continue;
      const asked = due !== undefined && exchange.http !== undefined ? [due] : before.ids;
      if (asked.some((each) => same(each, message.id)) || before.unread.includes(JSON.stringify(message.id))) continue;
      const refusal = (exchange.http?.status ?? 200) >= 400;
      found.push({ exchange, id: message.id, ...(due === undefined ? {} : { due }), refusal });
    }
  }
  return found;
}

// --- internal ---

function idsIn(text: string): { readonly ids: readonly unknown[]; readonly unread: string } {
  const ids: unknown[] = [];
  let unread = "";
  for (const line of whole(text) ?? text.split("\n")) {
    const json = typeof line === "string" ? parsed(line) : line;
    if (json === undefined) unread += line;
    for (const each of Array.isArray(json) ? json : [json]) if (isObject(each)) ids.push(each["id"]);
  }
  return { ids, unread };
}

/** A body is one JSON value, on however many lines. */
function whole(text: string): readonly unknown[] | undefined {
  const json = parsed(text);
  return json === undefined ? undefined : [json];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
