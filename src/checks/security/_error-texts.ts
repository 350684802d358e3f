import type { Exchange, Transcript } from "../../model/exchange.ts";
import { at, isObject } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { type Outcome, skipped } from "../../model/outcome.ts";
import type { RawHttp, Server } from "../../model/session.ts";
import { wordsOf } from "./_slots.ts";

/** A text with which the server told of a failure. */
export interface ErrorText {
  readonly exchange: Exchange;
  readonly text: string;
}

/** Sends a body that is no JSON, beside the requests of the fact: frameworks answer it before the server does. */
export async function provoke(server: Server & RawHttp, known: readonly Exchange[]): Promise<Outcome> {
  if (server.transport === "http" && known.length > 0) await server.http({ body: '{"jsonrpc":', once: true });
  return skipped("judged at the end of the run");
}

/** All of them in a run: JSON-RPC errors, results with isError, and bodies of HTTP errors; and how much was read. */
export function errorTexts(transcript: Transcript): { readonly texts: readonly ErrorText[]; readonly read: number } {
  let read = 0;
  const texts: ErrorText[] = [];
  for (const exchange of transcript) {
    const { http } = exchange;
    for (const { message } of exchange.received) {
      read += 1;
      const text = message === undefined ? undefined : told(message, isRunner(exchange.request));
      if (text !== undefined) texts.push({ exchange, text });
    }
    if (http !== undefined && http.status >= 400 && http.body !== "") texts.push({ exchange, text: http.body });
  }
  return { texts, read };
}

// --- internal ---

/** The strings of an error, or of a result that says it is one, a line each. */
function told({ error, result }: Message, ran: boolean): string | undefined {
  if (error !== undefined && error !== null) return strings(error).join("\n");
  return at(result, "isError") === true && !ran ? strings(at(result, "content")).join("\n") : undefined;
}

/** Whether a program of the caller's was run: what it prints when it fails is what was asked for. */
function isRunner(request: Message | undefined): boolean {
  const args = at(request?.params, "arguments");
  const names = [at(request?.params, "name"), ...(isObject(args) ? Object.keys(args) : [])];
  return names.some((name) => wordsOf(String(name)).some((word) => RUN_WORDS.includes(word)));
}

const RUN_WORDS = ["run", "exec", "execute", "eval", "evaluate", "code", "script", "command", "cmd", "shell", "repl"];
const DEEPEST = 20;

function strings(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((each) => strings(each, depth + 1));
  return isObject(value) ? Object.values(value).flatMap((each) => strings(each, depth + 1)) : [];
}
