// A release on loopback, laid out like one on GitHub, for trying install.sh and what is built on it.
import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";

export interface Loopback {
  /** What `--base-url` takes. */
  readonly base: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** What is sent in place of a file, by its name: other bytes, nothing at all, or only its first half. */
  readonly spoilt: Map<string, Uint8Array | "missing" | "half">;
  close(): Promise<void>;
}

/** Serves the files of `folder` as the only release, which is thus the latest. */
export async function serveRelease(folder: string, version: string): Promise<Loopback> {
  const [asked, spoilt]: [string[], Loopback["spoilt"]] = [[], new Map()];
  const files = `/owner/repo/releases/download/v${version}/`;
  const server = createServer(({ url = "/" }, response) => {
    asked.push(url);
    if (url === "/owner/repo/releases/latest")
      return response.writeHead(302, { location: `/owner/repo/releases/tag/v${version}` }).end();
    if (url === `/owner/repo/releases/tag/v${version}`) return response.end("release notes");
    const name = url.startsWith(files) ? url.slice(files.length) : "";
    // As GitHub does: the files themselves lie elsewhere.
    if (name !== "") return response.writeHead(302, { location: `/elsewhere/${name}` }).end();
    return send(response, join(folder, basename(url)), spoilt.get(basename(url)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/owner/repo`,
    asked,
    spoilt,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

if (import.meta.main) {
  const [folder = "dist/release", version = ""] = process.argv.slice(2);
  const { base } = await serveRelease(folder, version);
  console.log(base);
}

// --- internal ---

function send(response: ServerResponse, file: string, spoilt: Uint8Array | "missing" | "half" | undefined): unknown {
  if (spoilt === "missing" || !existsSync(file)) return response.writeHead(404).end("Not Found");
  const bytes = spoilt === undefined || spoilt === "half" ? readFileSync(file) : spoilt;
  response.writeHead(200, { "content-length": bytes.length });
  if (spoilt !== "half") return response.end(bytes);
  return response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
