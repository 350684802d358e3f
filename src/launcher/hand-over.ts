import { spawn } from "node:child_process";
import { constants } from "node:os";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

/**
 * Runs a command in our place: its stdio is ours, signals go through, and we end as it ends: with its exit code, or by
 * the signal that killed it, which never reads as success. Returns the exit code, if we live that long.
 */
export function handOver(command: readonly [string, ...string[]]): Promise<number> {
  const [program, ...args] = command;
  return new Promise((done) => {
    const forward = (signal: NodeJS.Signals) => {
      // A terminal sends Ctrl-C to the child as well, and a second one would mean more than the first.
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      child.kill(signal);
    };
    // First, since the child runs before spawn returns; a signal is handled after it has.
    for (const signal of FORWARDED) listen(signal, forward);
    const child = spawn(program, args, { stdio: "inherit", windowsHide: true });
    child.on("error", (error: NodeJS.ErrnoException) => {
      console.error(`mcp-assay: ${program} cannot be run (${error.code ?? error.message}).`);
      done(1);
    });
    child.on("exit", (code, signal) => {
      for (const each of FORWARDED) process.removeListener(each, forward);
      if (signal === null) return done(code ?? 1);
      // Ends us here and now, unless somebody has told us to ignore the signal.
      process.kill(process.pid, signal);
      setTimeout(() => done(128 + constants.signals[signal]), 200);
    });
  });
}

// --- internal ---

function listen(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void {
  try {
    process.on(signal, listener);
  } catch {
    // Windows knows fewer signals; Node keeps SIGUSR1 for its debugger in some builds.
  }
}
