import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocalListener } from "../model/session.ts";

/** Listens on a free port of 127.0.0.1 and answers every request with `body`. Never sends anything by itself. */
export async function listenLocally(path: string, body: string): Promise<LocalListener> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    if (hits.length < MOST) hits.push(request.url ?? "");
    response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": body.length, Connection: "close" });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // Whoever forgets to close it must not keep the process alive.
  server.unref();
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a TCP server listens on a port");
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    body,
    hits: () => hits.filter((each) => each.split("?")[0] === path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// --- internal ---

const MOST = 1000;
