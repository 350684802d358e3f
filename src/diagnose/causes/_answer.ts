import { type Exchange, header, mediaType } from "../../model/exchange.ts";
import type { HttpEvidence } from "../evidence.ts";
import { bestTalk } from "../progress.ts";

/** The stages that an answer of no use can fail. */
export const AT = ["first byte", "first message", "negotiation"] as const;

/** The opening that tells most, and what came of it. */
export const exchangeOf = (e: HttpEvidence): Exchange | undefined => bestTalk(e)?.opened.exchange;
export const statusOf = (e: HttpEvidence): number => exchangeOf(e)?.http?.status ?? 0;
export const bodyOf = (e: HttpEvidence): string => exchangeOf(e)?.http?.body ?? "";
export const typeOf = (e: HttpEvidence): string => mediaType(exchangeOf(e)?.http);
export const headerOf = (e: HttpEvidence, name: string): string => header(exchangeOf(e)?.http?.headers, name) ?? "";
export const isUnanswered = (e: HttpEvidence): boolean => exchangeOf(e)?.reply === undefined;
export const isPage = (e: HttpEvidence): boolean =>
  typeOf(e) === "text/html" || /^\s*<(?:!doctype html|html)/i.test(bodyOf(e));

/** The answer in a few words. */
export const wordsFor = (e: HttpEvidence): string =>
  `HTTP ${statusOf(e)}${typeOf(e) === "" ? "" : ` with ${typeOf(e)}`}`;
