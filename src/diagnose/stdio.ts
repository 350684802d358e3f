import { createContext, type Target, type Times } from "../engine/context.ts";
import type { Exchange, Received } from "../model/exchange.ts";
import type { Closing } from "../model/session.ts";
import { revisions } from "../revisions/index.ts";
import type { Revision } from "../revisions/revision.ts";
import type { Recorder } from "../wire/recorder.ts";
import { type Process, startProcess } from "../wire/stdio.ts";
import { OLDEST, type Run, type StdioEvidence, type Talk } from "./evidence.ts";
import { resolveCommand } from "./resolve.ts";
import { isMessage, SENDER, talkTo } from "./talk.ts";

/** What an examination works with. */
export interface Bench<T extends Target = Target> {
  readonly target: T;
  readonly recorder: Recorder;
  readonly times: Times;
  /** Told what is going on, for whoever waits. */
  say(text: string): void;
  readonly stopped: () => boolean;
}

type Stdio = Bench<Extract<Target, { kind: "stdio" }>>;

/** Bytes of stdout that are kept. */
const KEPT = 64 * 1024;

/** Starts the command up to four times, each time asking differently, and keeps what it did. */
export async function examineStdio(bench: Stdio): Promise<StdioEvidence> {
  const { target, times } = bench;
  const runs: Run[] = [];
  const add = async (run: Promise<Run>): Promise<Run> => {
    const done = await run;
    runs.push(done);
    return done;
  };
  bench.say("starting the server");
  const first = await add(opening(bench, "initialize", times.startup));
  if (first.exchange.end !== "unreachable") {
    const took = first.exchange.ms;
    // A process that has answered once needs about as long for it the next time; one that never did gets less.
    const again = first.heard ? Math.min(times.startup, times.preflight + 3 * took) : times.request;
    const more: readonly Run["how"][] =
      first.exchange.end === "timeout" ? ["framed", "server/discover"] : ["server/discover", "crlf"];
    for (const how of more) {
      // Once the framing is known to be the trouble, there is nothing more to ask.
      if (bench.stopped() || runs.some((run) => run.how === "framed" && isFramed(run.stdout))) break;
      bench.say(`starting it again: ${ASKED[how]}`);
      await add(how === "framed" || how === "crlf" ? line(bench, how, again) : opening(bench, how, again));
    }
  }
  const { command } = target;
  return {
    kind: "stdio",
    words: [command.command, ...command.args],
    cwd: command.cwd ?? ".",
    platform: command.platform,
    variables: Object.keys(command.env),
    resolved: resolveCommand(command),
    runs,
  };
}

/** What each run asks, in words. */
export const ASKED: Readonly<Record<Run["how"], string>> = {
  initialize: "initialize",
  "server/discover": "server/discover",
  framed: "initialize, behind a Content-Length header",
  crlf: `initialize of ${OLDEST}, on a line that ends in CR LF`,
};

/** Whether an answer stands among the bytes, framed as LSP does it or not. A complaint about the header is none. */
export const isFramed = (stdout: Uint8Array): boolean =>
  /content-length: *\d+[^{]*\{|"result"/i.test(Buffer.from(stdout).toString("latin1"));

// --- internal ---

/** What was seen of a process while it was spoken to. */
interface Spoken {
  readonly exchange: Exchange;
  readonly closing: Closing | undefined;
  readonly talk?: Talk;
}

/** How whoever speaks to a process hears of it. */
interface Told {
  attach(hear: ((received: Received) => void) | undefined): void;
  /** Resolves once a message stands on stdout, in a line or not. */
  readonly anyMessage: Promise<void>;
}

/** One process: `speak` speaks to it and closes it. */
async function running(
  { target, recorder }: Stdio,
  how: Run["how"],
  patience: number,
  speak: (process: Process, told: Told) => Promise<Spoken>,
): Promise<Run> {
  const kept: Uint8Array[] = [];
  const all: Received[] = [];
  let bytes = 0;
  let firstByte: number | undefined;
  let ended: string | undefined;
  let closed: number | undefined;
  let listener: ((received: Received) => void) | undefined;
  let seen: () => void = () => {};
  const anyMessage = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const began = recorder.now();
  const process = startProcess(recorder, target.command, {
    hear(received) {
      if (all.length < HEARD) all.push(received);
      listener?.(received);
    },
    stdout(part) {
      firstByte ??= recorder.now() - began;
      if (bytes < KEPT) kept.push(part.subarray(0, KEPT - bytes));
      bytes += part.byteLength;
      if (isFramed(part)) seen();
    },
    ...(target.stderr === undefined ? {} : { stderr: target.stderr }),
  });
  // How it stood when it was told to go: what it does then is another matter.
  const watched: Process = {
    ...process,
    close(grace) {
      ended ??= process.ended();
      closed ??= recorder.now();
      return process.close(grace);
    },
  };
  const { exchange, closing, talk } = await speak(watched, {
    attach(hear) {
      listener = hear;
    },
    anyMessage,
  });
  const isLate = ({ at }: Received) => closed !== undefined && at >= closed;
  return {
    how,
    exchange,
    heard: all.some((each) => isMessage(each) && !isLate(each)),
    ...(talk === undefined ? {} : { talk }),
    stdout: Buffer.concat(kept),
    bytes,
    ...(firstByte === undefined ? {} : { firstByte }),
    stderr: process.stderrTail(),
    ...(ended === undefined ? {} : { ended }),
    closing,
    late: all.filter(isLate),
    patience,
  };
}

/** A process that is opened as a revision's clients do. */
function opening(bench: Stdio, how: "initialize" | "server/discover", patience: number): Promise<Run> {
  const { target, recorder, times } = bench;
  const revision = revisions[how === "initialize" ? "2025-11-25" : "2026-07-28"];
  return running(bench, how, patience, async (process, { attach }) => {
    const context = createContext({ revision, target, recorder, times, adopt: { process, attach } });
    const { talk, closing } = await talkTo(context, patience);
    return { exchange: talk.opened.exchange, closing, talk };
  });
}

/** A process that is sent one initialize, written in another way. */
function line(bench: Stdio, how: "framed" | "crlf", patience: number): Promise<Run> {
  return running(bench, how, patience, async (process, { anyMessage }) => {
    const older = how === "crlf" ? { protocolVersion: OLDEST } : {};
    const request = { jsonrpc: "2.0", id: 0, ...INITIALIZE.opening({ capabilities: {}, ...older }) };
    const text = JSON.stringify(request);
    const sent = process.send({
      sender: SENDER,
      pieces: [how === "framed" ? `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}` : `${text}\r\n`],
      request,
      reply: { id: 0 },
      timeout: patience,
    });
    // A framed answer ends in no newline, so it is no line that the exchange could end with.
    await Promise.race([sent, ...(how === "framed" ? [anyMessage] : [])]);
    const closing = await process.close(bench.times.grace);
    return { exchange: await sent, closing };
  });
}

const INITIALIZE: Revision = revisions["2025-11-25"];

/** Messages that are kept of one process. */
const HEARD = 1000;
