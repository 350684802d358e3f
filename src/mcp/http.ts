import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { problem, turnedAway } from "./doorway.ts";
import { createPlaces } from "./places.ts";
import { createServer } from "./server.ts";
import { createSessions } from "./sessions.ts";
import type { McpSettings } from "./settings.ts";

/** Our server, listening on loopback. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves Streamable HTTP on 127.0.0.1, to clients of all revisions; port 0 is any free one. */
export async function serveOnHttp(settings: McpSettings, port: number, token?: string): Promise<Listening> {
  const places = createPlaces();
  const create = () => createServer(settings, places);
  const modern = createMcpHandler(create, { legacy: "reject" });
  const sessions = createSessions(create);

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const host = incoming.headers.host ?? "localhost";
    const head = requestOf(incoming, `http://${host}`, undefined, gone.signal);
    if (head === undefined) return send(problem(400, -32600, "the request can't be read"), response);
    const refusal = turnedAway(head, token);
    if (refusal !== undefined) return send(refusal, response);
    const body = incoming.method === "POST" ? await bodyOf(incoming) : "";
    if (body === undefined) return send(problem(413, -32600, "the body is too large"), response);
    // One message a POST: the SDK would still take several.
    if (body.trimStart().startsWith("[") && isJson(body)) {
      return send(problem(400, -32600, "a batch is not supported: send one message a request"), response);
    }
    const request = requestOf(incoming, `http://${host}`, body, gone.signal) ?? head;
    const legacy = await isLegacyRequest(request);
    await send(await (legacy ? sessions.serve(request) : modern.fetch(request)), response);
  }

  const server = createHttp((incoming, response) => {
    answer(incoming, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await Promise.all([sessions.close(), modern.close()]);
      server.close();
      server.closeAllConnections();
    },
  };
}

// --- internal ---

const LARGEST = 4 * 1024 * 1024;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Undefined where it is larger than anything a client has reason to send; the rest is read and forgotten. */
function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    let size = 0;
    incoming.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= LARGEST) parts.push(part);
      else {
        parts = [];
        resolve(undefined);
      }
    });
    incoming.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
    incoming.on("error", reject);
    incoming.on("close", () => reject(new Error("the client went away")));
  });
}

/** The request as the web's standard has it; undefined where it can't be put so. */
function requestOf(
  { method = "GET", url = "/", rawHeaders }: IncomingMessage,
  base: string,
  body: string | undefined,
  signal: AbortSignal,
): Request | undefined {
  try {
    const headers = new Headers();
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
    return new Request(new URL(url, base), {
      ...{ method, headers, signal },
      ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
    });
  } catch {
    return undefined;
  }
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  const reader = answer.body?.getReader();
  if (reader !== undefined) {
    response.on("close", () => void reader.cancel().catch(() => {}));
    for (let next = await reader.read(); !next.done; next = await reader.read()) response.write(next.value);
  }
  response.end();
}
