import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { problem } from "./doorway.ts";

/** Serves clients of 2025-11-25 and older, each in a session of its own: cancellation and progress need one. */
export interface Sessions {
  serve(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export function createSessions(create: () => McpServer, most = 100): Sessions {
  // In the order of their last use.
  const sessions = new Map<string, Session>();

  async function open(): Promise<Session> {
    const server = create();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        sessions.set(id, { server, transport });
        const [oldest] = sessions.keys();
        if (sessions.size > most && oldest !== undefined) void end(oldest);
      },
      onsessionclosed: (id) => void end(id),
    });
    await server.connect(transport);
    return { server, transport };
  }

  async function end(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close();
  }

  return {
    async serve(request) {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        if (session === undefined) return problem(404, -32001, "there is no such session: initialize a new one");
        sessions.delete(id);
        sessions.set(id, session);
        return session.transport.handleRequest(request);
      }
      const { server, transport } = await open();
      const response = await transport.handleRequest(request);
      // Whatever did not open a session has been refused.
      if (transport.sessionId === undefined) await server.close();
      return response;
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}
