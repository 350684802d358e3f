import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type { End, Exchange, Received } from "../model/exchange.ts";
import { same } from "../model/json.ts";
import { isResponse, type Message } from "../model/message.ts";
import type { Closing } from "../model/session.ts";
import { spawnTrouble } from "./_spawn-trouble.ts";
import { CAPS } from "./caps.ts";
import { adopt, MARK, release, signalGroup } from "./children.ts";
import { createLineSplitter, type Line } from "./lines.ts";
import { decode, receive } from "./receive.ts";
import type { Recorder } from "./recorder.ts";
import { windowsStart } from "./windows.ts";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

export interface StdioOutgoing {
  readonly sender: string;
  /** What to write, in pieces; each piece is a write of its own. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly request?: Message;
  /** The id whose response is awaited; undefined: none is due. */
  readonly reply?: { readonly id: unknown };
  readonly timeout: number;
}

/** One child process, its stdin, stdout and stderr. */
export interface Process {
  readonly session: number;
  send(out: StdioOutgoing): Promise<Exchange>;
  /** All that came on stdout without being a response that was awaited. */
  heard(): readonly Received[];
  stderrTail(): string;
  /** How it ended, in words, if it has. */
  ended(): string | undefined;
  close(grace: number): Promise<Closing>;
}

export interface ProcessEvents {
  readonly hear?: (received: Received) => void;
  readonly stderr?: (line: string) => void;
  /** Told of stdout as it is, before it is taken for lines. */
  readonly stdout?: (bytes: Uint8Array) => void;
}

interface Waiting {
  readonly id: unknown;
  settle(end: End, got?: Received, cause?: string): void;
}

/** Starts the command in a process group of its own; stdout is watched from here to its exit. */
export function startProcess(recorder: Recorder, command: Command, events: ProcessEvents): Process {
  const session = recorder.session();
  const heard: Received[] = [];
  const waiting = new Set<Waiting>();
  const out = createLineSplitter();
  const err = createLineSplitter(64 * 1024);
  let stderr = "";
  let kept = 0;
  let ending: string | undefined;
  /** Whether it never ran at all. */
  let stillborn = false;
  let exit: { code: number | null; signal: string | null } | undefined;
  let flushed = false;
  let resolveGone: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  const fail = (cause: string) => {
    ending ??= cause;
    stillborn = true;
    over();
  };
  const child = recorder.stopped() ? undefined : start(command, fail);
  if (recorder.stopped()) queueMicrotask(() => fail("never started: the run was interrupted"));
  const off = recorder.onStop(() => {
    if (child?.pid !== undefined) signalGroup(child.pid, "SIGKILL", command.platform);
  });

  const lost = (): End => (stillborn ? "unreachable" : "closed");

  function line(each: Line): void {
    const at = recorder.now();
    const { text, valid } = decode(each.bytes);
    const bare = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (bare === "" && !each.unterminated) return;
    const got: Received = each.tooLong
      ? { text: bare.slice(0, CAPS.text), from: "stdout", at, problem: "too-long" }
      : receive(bare, { from: "stdout", at, valid, unterminated: each.unterminated });
    const message = got.message;
    const answered =
      message !== undefined && isResponse(message) ? [...waiting].find((each) => same(each.id, message.id)) : undefined;
    if (answered !== undefined) {
      answered.settle("reply", got);
      events.hear?.(got);
      return;
    }
    events.hear?.(got);
    // The right id in another type: the only request in flight will get no other answer.
    const only = waiting.size === 1 ? [...waiting][0] : undefined;
    if (only !== undefined && message !== undefined && isResponse(message) && String(message.id) === String(only.id)) {
      only.settle("complete", got);
      return;
    }
    // A flood is read, so that the server can go on, and forgotten.
    kept += each.bytes.byteLength;
    if (heard.length >= CAPS.messages || kept > CAPS.stream) return;
    heard.push(got);
    recorder.record({
      n: recorder.next(),
      session,
      sender: "server",
      sent: { text: "" },
      received: [got],
      end: "unsolicited",
      ms: 0,
    });
  }

  function over(): void {
    if (flushed) return;
    flushed = true;
    const left = out.end();
    if (left !== undefined) line(left);
    for (const each of waiting) each.settle(lost(), undefined, ending);
    resolveGone();
  }

  child?.stdout?.on("data", (bytes: Uint8Array) => {
    events.stdout?.(bytes);
    for (const each of out.feed(bytes)) line(each);
  });
  child?.stderr?.on("data", (bytes: Uint8Array) => {
    stderr = (stderr + decode(bytes).text).slice(-CAPS.stderr);
    for (const each of err.feed(bytes)) events.stderr?.(decode(each.bytes).text);
  });
  for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.on("error", () => {});
  child?.on("exit", (code, signal) => {
    exit = { code, signal };
    ending ??= signal === null ? `exited with code ${code}` : `killed by ${signal}`;
    // A grandchild may hold the pipes: what is already in them is read, the rest is not waited for.
    setTimeout(over, 250);
  });
  child?.on("close", over);

  return {
    session,
    heard: () => heard,
    // Cut at a line: a half word at the start could be the rest of a secret that nobody would know again.
    stderrTail: () => (stderr.length < CAPS.stderr ? stderr : stderr.slice(stderr.indexOf("\n") + 1)),
    ended: () => (flushed || exit !== undefined ? ending : undefined),
    async send({ sender, pieces, request, reply, timeout }) {
      const n = recorder.next();
      const began = recorder.now();
      // A piece may end inside a character, so the bytes are joined before they are decoded.
      const { text } = decode(
        Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece))),
      );
      const finish = (end: End, got?: Received, cause?: string): Exchange =>
        recorder.record({
          n,
          session,
          sender,
          sent: { text: text.endsWith("\n") ? text.slice(0, -1) : text },
          ...(request === undefined ? {} : { request }),
          received: got === undefined ? [] : [got],
          ...(end === "reply" && got?.message !== undefined ? { reply: got.message } : {}),
          end,
          ...(cause === undefined ? {} : { cause }),
          ms: recorder.now() - began,
        });
      if (flushed || exit !== undefined) return finish(lost(), undefined, ending);
      const answer =
        reply === undefined
          ? undefined
          : new Promise<Exchange>((resolve) => {
              const timer = setTimeout(() => entry.settle("timeout"), timeout);
              const entry: Waiting = {
                id: reply.id,
                settle(end, got, cause) {
                  clearTimeout(timer);
                  if (waiting.delete(entry)) resolve(finish(end, got, cause));
                },
              };
              waiting.add(entry);
            });
      const written = await write(child, pieces, timeout);
      if (answer !== undefined) return answer;
      return flushed && !written ? finish(lost(), undefined, ending) : finish("none-due");
    },
    async close(grace) {
      const began = recorder.now();
      const was = exit !== undefined || child === undefined;
      const after = async (ms: number) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<boolean>((resolve) => {
          timer = setTimeout(() => resolve(false), ms);
        });
        const ok = await Promise.race([gone.then(() => true), late]);
        clearTimeout(timer);
        return ok;
      };
      let how: Closing["how"] = was ? "gone" : "stdin";
      child?.stdin?.end();
      if (!was && !(await after(grace))) {
        how = "SIGTERM";
        if (child?.pid !== undefined) signalGroup(child.pid, "SIGTERM", command.platform);
        if (!(await after(grace))) {
          how = "SIGKILL";
          if (child?.pid !== undefined) signalGroup(child.pid, "SIGKILL", command.platform);
          await after(5000);
        }
      }
      if (child?.pid !== undefined) {
        // Whatever it started and left behind goes with it.
        if (command.platform !== "win32") signalGroup(child.pid, "SIGKILL", command.platform);
        release(child.pid);
      }
      over();
      off();
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      return { how, code: exit?.code ?? null, signal: exit?.signal ?? null, ms: recorder.now() - began };
    },
  };
}

// --- internal ---

function start(command: Command, fail: (cause: string) => void): ChildProcess | undefined {
  const windows = command.platform === "win32";
  const mark = randomUUID();
  try {
    const { file, args, verbatim } = windows
      ? windowsStart(command.command, command.args, { env: command.env, cwd: command.cwd ?? ".", isFile })
      : { file: command.command, args: command.args, verbatim: false };
    const child = spawn(file, [...args], {
      cwd: command.cwd,
      env: { ...command.env, [MARK]: mark },
      stdio: ["pipe", "pipe", "pipe"],
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    child.on("error", (error: NodeJS.ErrnoException) => fail(spawnTrouble(command, error)));
    if (child.pid !== undefined) adopt(child.pid, mark);
    return child;
  } catch (error) {
    const trouble = spawnTrouble(command, error instanceof Error ? error : new Error(String(error)));
    queueMicrotask(() => fail(trouble));
    return undefined;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Writes each piece, waiting for drain where the pipe is full; false when it could not be written in time. */
async function write(
  child: ChildProcess | undefined,
  pieces: readonly (string | Uint8Array)[],
  timeout: number,
): Promise<boolean> {
  const stdin = child?.stdin;
  if (stdin === undefined || stdin === null || stdin.destroyed) return false;
  for (const piece of pieces) {
    if (stdin.write(piece)) {
      // A piece of its own write: give the other side the chance to read it alone.
      if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    const drained = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => settle(false), timeout);
      const settle = (ok: boolean) => {
        clearTimeout(timer);
        stdin.off("drain", yes);
        stdin.off("close", no);
        resolve(ok);
      };
      const yes = () => settle(true);
      const no = () => settle(false);
      stdin.on("drain", yes);
      stdin.on("close", no);
    });
    if (!drained) return false;
  }
  return true;
}
