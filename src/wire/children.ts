import { spawnSync } from "node:child_process";

/** Every process group that we started and that may still live. */
const groups = new Set<number>();

export const adopt = (pid: number): void => void groups.add(pid);
export const release = (pid: number): void => void groups.delete(pid);

/** Signals a whole process group; on Windows ends the tree. A group that is gone is no error. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL", platform: NodeJS.Platform): void {
  if (platform === "win32") {
    spawnSync("taskkill", ["/T", ...(signal === "SIGKILL" ? ["/F"] : []), "/PID", String(pid)], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody is left in it.
  }
}

/** Ends all of them at once: for signal handlers and the end of the process. */
export function killAll(platform: NodeJS.Platform): void {
  for (const pid of groups) signalGroup(pid, "SIGKILL", platform);
  groups.clear();
}
