import { neutral } from "../text/markup.ts";
import { UsageError } from "./usage.ts";

/** What the screen can do, read once from the environment. */
export interface Screen {
  readonly color: boolean;
  readonly width: number;
  readonly unicode: boolean;
  /** Whether a CI system reads along, and takes some lines for commands of its own. */
  readonly ci: boolean;
}

/** NO_COLOR, --no-color and a stream that is no terminal each turn colours off; FORCE_COLOR turns them on. */
export function screenOf(stream: { readonly isTTY?: boolean; readonly columns?: number }, noColor: boolean): Screen {
  const { env, platform } = process;
  const off = noColor || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const forced = (env["FORCE_COLOR"] ?? "0") !== "0";
  return {
    color: !off && (stream.isTTY === true || forced),
    width: Math.max(40, Math.min(stream.columns ?? 100, 120)),
    unicode: platform !== "win32" || env["WT_SESSION"] !== undefined,
    ci: onCi(),
  };
}

/** A reader that has gone away (| head) is no error of ours. */
export function toleratePipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/**
 * Writes all of the text and waits until it is out: process.exit would cut it at 64 KiB. Throws where it can't be
 * written, as on a full disk, unless the reader has gone away.
 */
export async function print(text: string): Promise<void> {
  const error = await written(process.stdout, text);
  if (error === undefined || GONE.has(error.code ?? "")) return;
  throw new UsageError(`stdout can't be written: ${error.message}.`);
}

/** The same on stderr, where there is nobody left to tell of a failure. */
export async function printError(text: string): Promise<void> {
  await written(process.stderr, onCi() ? neutral(text) : text);
}

/** Whether a CI system runs us. */
export const onCi = (): boolean =>
  ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].some((name) => (process.env[name] ?? "") !== "");

// --- internal ---

// Of a pipe and of a terminal whose other end is closed.
const GONE = new Set(["EPIPE", "EIO", "ECONNRESET", "ERR_STREAM_DESTROYED", "EBADF"]);

function written(stream: NodeJS.WriteStream, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    stream.write(text.endsWith("\n") ? text : `${text}\n`, (error) => resolve(error ?? undefined));
  });
}
