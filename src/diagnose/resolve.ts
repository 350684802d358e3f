import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { Command } from "../wire/stdio.ts";
import { findOnWindows } from "../wire/windows.ts";

/** What stands where a command should be. */
export interface Resolved {
  /** The file that is started. */
  readonly path?: string;
  readonly problem?: "not found" | "a folder" | "not executable";
  /** The first line of a script, if it names its interpreter. */
  readonly shebang?: string;
  /** Whether the shebang line ends in CR LF, so that the system looks for a program whose name ends in a CR. */
  readonly crlf?: boolean;
}

/** Looks for the command as the system does: by its path, or on the child's PATH. */
export function resolveCommand({ command, cwd = ".", env, platform }: Command): Resolved {
  if (platform === "win32") {
    const path = findOnWindows(command, { env, cwd, isFile });
    return path === undefined ? { problem: "not found" } : { path };
  }
  const folders = command.includes("/") ? [""] : (env["PATH"] ?? "").split(delimiter);
  let problem: NonNullable<Resolved["problem"]> = "not found";
  let second: string | undefined;
  for (const folder of folders) {
    const path = resolve(cwd, folder, command);
    const found = stateOf(path);
    if (found === "a program") return { path, ...shebangOf(path) };
    if (found === "not found" || problem !== "not found") continue;
    problem = found;
    second = path;
  }
  return { ...(second === undefined ? {} : { path: second }), problem };
}

// --- internal ---

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function stateOf(path: string): NonNullable<Resolved["problem"]> | "a program" {
  try {
    if (statSync(path).isDirectory()) return "a folder";
    accessSync(path, constants.X_OK);
    return "a program";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES" ? "not executable" : "not found";
  }
}

function shebangOf(path: string): Pick<Resolved, "shebang" | "crlf"> {
  const bytes = Buffer.alloc(256);
  let read = 0;
  try {
    const file = openSync(path, "r");
    read = readSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  } catch {
    // It can be run without being readable.
    return {};
  }
  const line = bytes.subarray(0, read).toString("latin1").split("\n")[0] ?? "";
  if (!line.startsWith("#!")) return {};
  return { shebang: line.replace(/\r$/, ""), ...(line.endsWith("\r") ? { crlf: true } : {}) };
}
