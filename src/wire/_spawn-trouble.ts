import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "./stdio.ts";

/** Why a command could not be started, and what to do about it. */
export function spawnTrouble({ command, cwd = "." }: Command, error: NodeJS.ErrnoException): string {
  const name = JSON.stringify(command);
  const path = command.includes("/") || command.includes("\\");
  if (error.code === "ENOENT") {
    return path
      ? `the command ${name} does not exist: check its path, or give --cwd`
      : `the command ${name} was not found on PATH: install it, or give its path`;
  }
  if (error.code === "EACCES") {
    // The system says the same of three things.
    if (!mayEnter(cwd))
      return `the folder ${JSON.stringify(cwd)} may not be entered: mend its permissions, or give another`;
    if (path && isFolder(resolve(cwd, command))) return `the command ${name} is a folder: give the program in it`;
    return `the command ${name} is not executable: chmod +x it, or start it with its runtime`;
  }
  if (error.code === "ENOEXEC") return `the command ${name} is in no format that can be run: has it a #! line?`;
  return `the command ${name} could not be started: ${error.message}`;
}

// --- internal ---

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether a process of ours may have it as its folder. */
function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
