import type { Exchange, Transcript } from "../model/exchange.ts";
import { at } from "../model/json.ts";
import type { Verdict } from "../model/report.ts";
import { count } from "../text/count.ts";
import { cap } from "../text/escape.ts";
import { nameOf } from "./attribution.ts";

/** Judges every line of a stdio run; where it doesn't run, nobody would say what came between the messages. */
const FRAMING = "stdio-framing";

/** What to tell of lines on stdout that are no messages; undefined where there are none, or a verdict says so. */
export function noiseWarning(verdicts: readonly Verdict[], transcript: Transcript): string | undefined {
  if (verdicts.some(({ row }) => row.id === FRAMING)) return undefined;
  const noise = transcript
    .flatMap(({ received }) => received)
    .filter(({ from, problem }) => from === "stdout" && problem !== undefined && problem !== "unterminated");
  const [first] = noise;
  if (first === undefined) return undefined;
  const lines = `${count(noise.length, "line")} that ${noise.length === 1 ? "is no MCP message" : "are no MCP messages"}`;
  return `The server wrote ${lines} to stdout, first ${JSON.stringify(first.text.slice(0, 80))}: clients may give up there. ${FRAMING} judges it, and was left out.`;
}

/** What to tell of checks that a rate limit kept from measuring; undefined where there are none. */
export function limitWarning(verdicts: readonly Verdict[], transcript: Transcript): string | undefined {
  const limited = new Set(transcript.filter(({ http }) => http?.status === 429).map(({ n }) => n));
  const { length } = verdicts.filter(
    ({ outcome, evidence }) => outcome.status === "blocked" && evidence.some((n) => limited.has(n)),
  );
  if (length === 0) return undefined;
  return `HTTP 429 (too many requests) kept ${count(length, "check")} from being measured: lift the limit for this run, or run some areas at a time with --only.`;
}

/** What to tell of a server that answered at its URL and then was gone for good: it may have died of the last request. */
export function goneWarning(_: readonly Verdict[], transcript: Transcript): string | undefined {
  const asked = transcript.filter(({ sent }) => sent.http !== undefined);
  const origin = originOf(asked.find(({ http }) => http !== undefined));
  const there = asked.filter((exchange) => originOf(exchange) === origin);
  const gone = there[there.findLastIndex(({ end }) => end !== "unreachable") + 1];
  const last = there.findLast(({ http }) => http !== undefined);
  if (origin === undefined || gone === undefined || last === undefined) return undefined;
  const tool = at(last.request, "params", "name");
  const what = `${nameOf(last)}${typeof tool === "string" ? ` of ${cap(tool, 60)}` : ""} (${last.sender})`;
  return `The server is gone: the last that it answered was ${what}, and from ${gone.sender} on nobody listened at ${origin} any more. Did it crash?`;
}

// --- internal ---

const originOf = (exchange: Exchange | undefined): string | undefined =>
  exchange?.sent.http === undefined ? undefined : new URL(exchange.sent.http.url).origin;
