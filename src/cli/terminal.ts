import { neutral } from "../text/markup.ts";

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

/** Writes all of the text and waits until it is out: process.exit would cut it at 64 KiB. */
export const print = (text: string): Promise<void> => written(process.stdout, text);
export const printError = (text: string): Promise<void> => written(process.stderr, onCi() ? neutral(text) : text);

/** Whether a CI system runs us. */
export const onCi = (): boolean =>
  ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].some((name) => (process.env[name] ?? "") !== "");

// --- internal ---

function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text.endsWith("\n") ? text : `${text}\n`, () => resolve());
  });
}
