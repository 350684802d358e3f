import { killAll } from "../wire/children.ts";

/** Ends the run at the first Ctrl-C or SIGTERM, and the program at the second; no child outlives us. */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    killAll(process.platform);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
  process.on("exit", () => killAll(process.platform));
  return controller.signal;
}

/** Ends the program when the process that started it is gone, however that ended: it works for nobody else. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(130);
  }, 1000).unref();
}
