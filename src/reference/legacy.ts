import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { HttpRequestView } from "../model/bendable.ts";
import { isObject } from "../model/json.ts";
import { problem } from "./plan.ts";
import type { Reference, RefSession } from "./server.ts";

/**
 * The reference over HTTP+SSE (2024-11-05, basic/transports#http-with-sse): GET /sse opens the stream and names the
 * endpoint for POST; the session is in its query.
 */
export function createLegacy(
  reference: Reference,
  write: (response: ServerResponse, plan: ReturnType<typeof problem>) => void,
  die: () => void,
) {
  const sessions = new Map<string, { readonly session: RefSession; readonly response: ServerResponse }>();

  function open(response: ServerResponse): void {
    const session = reference.session(randomUUID());
    sessions.set(session.id, { session, response });
    session.broadcast = (json) => response.write(`event: message\ndata: ${JSON.stringify(json)}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(`event: endpoint\ndata: /messages?session=${session.id}\n\n`);
    response.on("close", () => void sessions.delete(session.id));
  }

  async function post(view: HttpRequestView, response: ServerResponse): Promise<void> {
    const found = sessions.get(view.query.get("session") ?? "");
    if (found === undefined) return write(response, problem(404, -32001, "there is no such session"));
    if (!isObject(view.json)) return write(response, problem(400, -32700, "the body is no JSON object"));
    write(response, { status: 202, headers: [] });
    const send = found.session.broadcast ?? (() => {});
    const served = await reference.serve(view.json, found.session, { send, die });
    if (served.reply !== undefined) send(served.reply);
    await served.follow();
  }

  return {
    async serve(view: HttpRequestView, response: ServerResponse): Promise<void> {
      if (view.path === "/sse" && view.method === "GET") return open(response);
      if (view.path === "/messages" && view.method === "POST") return post(view, response);
      return write(response, problem(view.path === "/sse" ? 405 : 404, -32600, "not here"));
    },
  };
}
