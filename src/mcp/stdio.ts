import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createPlaces } from "./places.ts";
import { createServer } from "./server.ts";
import type { McpSettings } from "./settings.ts";

/** Serves on this process's stdin and stdout; resolves when the client has gone. */
export function serveOnStdio(settings: McpSettings): Promise<void> {
  const places = createPlaces();
  const handle = serveStdio(() => createServer(settings, places));
  return new Promise((resolve) => {
    for (const event of ["end", "close"] as const)
      process.stdin.once(event, () => void handle.close().then(resolve, () => resolve()));
  });
}
