import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Every process group that we started and that may still live, with the value of MARK in its environment. */
const groups = new Map<number, string | undefined>();

export const adopt = (pid: number, mark?: string): void => void groups.set(pid, mark);
export const release = (pid: number): void => void groups.delete(pid);

/** The variable in the environment of a process by whose value those that it leaves behind are known (Linux). */
export const MARK = "MCP_ASSAY_CHILD";

/**
 * Signals a whole process group; on Windows ends the tree. SIGKILL also finds, on Linux, who has left the group. A group
 * that is gone is no error.
 */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL", platform: NodeJS.Platform): void {
  if (platform === "win32") {
    spawnSync("taskkill", ["/T", ...(signal === "SIGKILL" ? ["/F"] : []), "/PID", String(pid)], { stdio: "ignore" });
    return;
  }
  kill(-pid, signal);
  const mark = groups.get(pid);
  if (signal !== "SIGKILL" || mark === undefined || platform !== "linux") return;
  for (const stray of marked(mark)) kill(stray, signal);
}

/** Ends all of them at once: for signal handlers and the end of the process. */
export function killAll(platform: NodeJS.Platform): void {
  for (const pid of groups.keys()) signalGroup(pid, "SIGKILL", platform);
  groups.clear();
}

// --- internal ---

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: nobody is left there.
  }
}

function marked(mark: string): readonly number[] {
  const entry = `${MARK}=${mark}\0`;
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "latin1").includes(entry) ? [Number(name)] : [];
    } catch {
      // Somebody else's, or gone by now.
      return [];
    }
  });
}
