import { isAuthorizationRefusal } from "../engine/attribution.ts";
import { type Channel, createChannel } from "../engine/channel.ts";
import { type Context, createContext, type Target, type Times, viewOf } from "../engine/context.ts";
import { onAbort } from "../engine/interruption.ts";
import { pool } from "../engine/pool.ts";
import { dualEra, settleRevision } from "../engine/settle.ts";
import { createView } from "../engine/view.ts";
import { walk } from "../facts/lists.ts";
import type { Benchmark } from "../model/benchmark.ts";
import type { Exchange } from "../model/exchange.ts";
import { at, isObject, type JsonObject } from "../model/json.ts";
import { resultOf, rpcError } from "../model/message.ts";
import type { Revision } from "../revisions/revision.ts";
import { sampleArguments } from "../schema/sample.ts";
import { oneLine } from "../text/escape.ts";
import { createRecorder, type Recorder } from "../wire/recorder.ts";
import { histogramOf, latencyOf } from "./statistics.ts";

export interface BenchmarkOptions {
  readonly target: Target;
  readonly revision: Revision | "auto";
  readonly times: Times;
  readonly requests: number;
  readonly concurrency: number;
  /** What is asked. Default: the request that every live server of the revision answers (ping, server/discover). */
  readonly ask?: Ask;
  /** Told after each answer. */
  readonly progress?: (done: number, of: number) => void;
  /** Told once the revision is settled. */
  readonly settled?: () => void;
  readonly signal?: AbortSignal;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
}

/** A method with its parameters, or a tool by its name. */
export type Ask =
  | { readonly method: string; readonly params?: JsonObject }
  | {
      readonly tool: string;
      /** Default: made of its inputSchema, what is required and nothing else. */
      readonly arguments?: JsonObject;
      /** Whether it may be called although it is annotated as destructive. */
      readonly destructive: boolean;
    };

/** A benchmark that can't be done as it was asked for: no such tool, or one that needs a word of the user's. */
export class Unbenchable extends Error {
  override name = "Unbenchable";
}

/** Opens one session and sends the same request again and again. Never throws for what the server does. */
export async function benchmark(options: BenchmarkOptions): Promise<Benchmark> {
  const { target, times, requests, concurrency, signal, clock } = options;
  const recorder = forgetful(clock);
  const { stopped, off } = onAbort(signal, recorder);
  const view = viewOf(target);
  const settled = await settleRevision(options, recorder, view);
  options.settled?.();
  const { revision } = settled;
  // Nothing is graded here.
  const found = settled.warnings.filter((text) => text !== dualEra());
  const context = createContext({ revision, target, recorder, times, stopped, adopt: settled.adopt });
  const channel = createChannel(context, { sender: SENDER, openingTimeout: times.startup });
  const common = {
    target: view.url?.href ?? view.command.join(" "),
    transport: target.kind,
    revision: revision.id,
    ...(settled.note === undefined ? {} : { revisionNote: settled.note }),
    requests,
    concurrency,
  };
  const method = methodOf(options.ask, revision);
  const named = { method, ...(options.ask !== undefined && "tool" in options.ask ? { tool: options.ask.tool } : {}) };
  try {
    const opened = await channel.opened();
    const openingMs = recorder.now();
    if (opened.refusal !== undefined) {
      const stderrTail = channel.stderrTail();
      return {
        ...common,
        ...named,
        ...NOTHING,
        openingMs,
        warnings: found,
        refusal: opened.refusal,
        ...(stderrTail === "" ? {} : { stderrTail }),
        heard: opened.exchange.received.some(({ message }) => message?.jsonrpc !== undefined),
        refused: isAuthorizationRefusal(opened.exchange, view),
      };
    }
    const { params, warnings } = await paramsOf(options.ask, context, channel);
    const measured = await measure(options, context, channel, method, params, stopped);
    return {
      ...common,
      ...named,
      ...measured,
      openingMs,
      warnings: [...found, ...warnings, ...measured.warnings],
      heard: true,
      refused: false,
    };
  } finally {
    await channel.close();
    await Promise.all(context.farewells);
    off();
  }
}

// --- internal ---

const SENDER = "benchmark";
const NOTHING = { sent: 0, succeeded: 0, failures: [], ms: 0, perSecond: 0, histogram: [] } as const;
/** Time-outs one after the other after which nobody is waited for again. */
const SILENCES = 3;

const methodOf = (ask: Ask | undefined, revision: Revision): string =>
  ask === undefined ? revision.control : "tool" in ask ? "tools/call" : ask.method;

/** A long benchmark has no use for what was said. */
function forgetful(clock: () => number): Recorder {
  return { ...createRecorder(clock), record: (exchange) => exchange, transcript: () => [] };
}

async function paramsOf(
  ask: Ask | undefined,
  context: Context,
  channel: Channel,
): Promise<{ readonly params?: JsonObject; readonly warnings: readonly string[] }> {
  if (ask === undefined) return { warnings: [] };
  if (!("tool" in ask)) return { ...(ask.params === undefined ? {} : { params: ask.params }), warnings: [] };
  const { server } = createView(context, { sender: SENDER, effect: "shared", channel });
  const { pages } = await walk(server, "tools/list", "tools");
  const tools = pages.flatMap(({ items }) => (Array.isArray(items) ? items.filter(isObject) : []));
  const tool = tools.find((each) => each["name"] === ask.tool);
  if (tool === undefined) {
    const names = tools.map(({ name }) => String(name)).slice(0, 20);
    throw new Unbenchable(`the server lists no tool ${JSON.stringify(ask.tool)}: it has ${names.join(", ") || "none"}`);
  }
  if (at(tool, "annotations", "destructiveHint") === true && !ask.destructive) {
    throw new Unbenchable(
      `the tool ${JSON.stringify(ask.tool)} is annotated as destructive: --allow-destructive calls it all the same`,
    );
  }
  const made =
    ask.arguments === undefined ? sampleArguments(tool["inputSchema"]) : { args: ask.arguments, guessed: [] };
  const warnings =
    made.guessed.length === 0
      ? []
      : [
          `The values of ${made.guessed.map((name) => oneLine(name, 60)).join(", ")} are invented: give your own by --arguments.`,
        ];
  return { params: { name: ask.tool, arguments: made.args }, warnings };
}

async function measure(
  { requests, concurrency, times, progress }: BenchmarkOptions,
  context: Context,
  channel: Channel,
  method: string,
  params: JsonObject | undefined,
  stopped: () => boolean,
) {
  const { recorder } = context;
  const took: number[] = [];
  const reasons = new Map<string, number>();
  let done = 0;
  let silences = 0;
  const began = recorder.now();
  await pool(
    concurrency,
    Array.from({ length: requests }, (_, i) => i),
    () => stopped() || silences >= Math.max(SILENCES, concurrency) || channel.dead() !== undefined,
    async () => {
      const id = context.id();
      const exchange = await channel.post({
        sender: SENDER,
        json: channel.stamp({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }),
        reply: { id },
        timeout: times.request,
      });
      const reason = failureOf(exchange);
      silences = exchange.end === "timeout" ? silences + 1 : 0;
      if (reason === undefined) took.push(exchange.ms);
      else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      done += 1;
      progress?.(done, requests);
    },
  );
  const ms = recorder.now() - began;
  const latency = latencyOf(took);
  const left = requests - done;
  return {
    sent: done,
    succeeded: took.length,
    failures: [...reasons].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    ms,
    perSecond: ms > 0 ? (took.length * 1000) / ms : 0,
    ...(latency === undefined ? {} : { latency }),
    histogram: histogramOf(took),
    warnings:
      left === 0 || stopped()
        ? []
        : [
            `${left} requests were not sent: the server ${channel.dead() === undefined ? "stopped answering" : "went away"}.`,
          ],
  };
}

/** Why an exchange is no success, in words that are the same for alike ones. An error reply is none. */
function failureOf({ reply, http, end, cause, received }: Exchange): string | undefined {
  const error = rpcError(reply);
  if (error !== undefined) return `error ${error.code}: ${oneLine(error.message, 120)}`;
  const result = resultOf(reply);
  if (result !== undefined && (http?.status ?? 200) < 400) {
    return at(result, "isError") === true ? "a tool's result with isError" : undefined;
  }
  if (reply !== undefined) return "a reply without a result";
  if (end === "timeout") return "no reply in time";
  if (http !== undefined) return `HTTP ${http.status} without a reply`;
  return received.length > 0 ? "something that is no reply" : (cause ?? end);
}
