import { isAuthorizationRefusal } from "../engine/attribution.ts";
import type { Liveness, LivenessClass } from "../model/diagnosis.ts";
import type { Exchange } from "../model/exchange.ts";
import { wordsOf } from "./_words.ts";
import { type Connected, type Evidence, type HttpEvidence, OLDEST, type Run, type StdioEvidence } from "./evidence.ts";
import { endOf, strayOf } from "./progress.ts";
import { ASKED } from "./stdio.ts";
import { isMessage } from "./talk.ts";

/** What the target is, over all tries. A time-out is not dead: nobody knows what it is. */
export function livenessOf(evidence: Evidence, cause: string | undefined): Liveness {
  const tries = evidence.kind === "stdio" ? stdioTries(evidence) : httpTries(evidence);
  const classes = tries.map(([found]) => found);
  const wrong = cause !== undefined && WRONG_TRANSPORT.includes(cause);
  return { class: wrong ? "wrong-transport" : classOf(classes), tries: tries.map(([, words]) => words) };
}

// --- internal ---

/** Causes that say that somebody is there, and speaks otherwise. */
const WRONG_TRANSPORT: readonly string[] = [
  "legacy-sse",
  "streamable-not-sse",
  "serves-http",
  "waits-for-content-length",
];

type Try = readonly [LivenessClass, string];

function classOf(classes: readonly LivenessClass[]): LivenessClass {
  for (const sure of ["open", "gated", "not-mcp"] as const) if (classes.includes(sure)) return sure;
  return classes.length > 0 && classes.every((each) => each === "dead") ? "dead" : "unknown";
}

const stdioTries = ({ runs }: StdioEvidence): readonly Try[] =>
  runs.map((run) => [classOfRun(run), `${ASKED[run.how]}: ${wordsOfRun(run)}`]);

function classOfRun(run: Run): LivenessClass {
  if (run.heard && run.how !== "framed") return "open";
  if (run.exchange.end === "unreachable" || run.ended !== undefined) return "dead";
  return strayOf(run) === undefined ? "unknown" : "not-mcp";
}

function wordsOfRun(run: Run): string {
  const ms = `${Math.round(run.exchange.ms)} ms`;
  if (run.exchange.reply !== undefined) return `${wordsOf(run.exchange)} after ${ms}`;
  if (run.ended !== undefined) return `the process ${endOf(run)} after ${ms}`;
  return run.exchange.end === "unreachable"
    ? "it could not be started"
    : `${run.bytes === 0 ? "nothing" : `${run.bytes} bytes, and no answer,`} within ${ms}`;
}

function httpTries(e: HttpEvidence): readonly Try[] {
  if (e.talks.length === 0)
    return e.connections.map((each) => [classOfConnection(each), `connection: ${each.trouble?.message ?? "made"}`]);
  const asked = e.talks.map(({ opened, revision }): readonly [string, Exchange] => [
    revision === "2025-11-25" ? "initialize" : "server/discover",
    opened.exchange,
  ]);
  if (e.oldest !== undefined) asked.push([`initialize of ${OLDEST}`, e.oldest]);
  return asked.map(([name, exchange]) => [
    classOfExchange(exchange, e),
    `${name}: ${wordsOf(exchange)} after ${Math.round(exchange.ms)} ms`,
  ]);
}

/** Whoever refuses the connection, or does not exist, is dead; a bad certificate belongs to somebody who lives. */
const classOfConnection = ({ trouble }: Connected): LivenessClass =>
  /ECONNREFUSED|ConnectionRefused|ENOTFOUND/.test(trouble?.code ?? "") && trouble?.at !== "proxy" ? "dead" : "unknown";

function classOfExchange(exchange: Exchange, { credential, url, sse, loopback }: HttpEvidence): LivenessClass {
  const { http } = exchange;
  if (isAuthorizationRefusal(exchange, { kind: "http", sse, url, loopback, credential, command: [] })) return "gated";
  if (exchange.received.some(isMessage)) return "open";
  if (http === undefined || http.status === 429 || http.status >= 500) return "unknown";
  return exchange.end === "timeout" ? "unknown" : "not-mcp";
}
