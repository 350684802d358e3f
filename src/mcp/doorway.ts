import { timingSafeEqual } from "node:crypto";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
} from "@modelcontextprotocol/server";

/**
 * Why a request over HTTP is not let in, as the answer to it; undefined where it is. A page in a browser on this machine
 * could send requests, too: the Host (DNS rebinding) and Origin headers give it away. A token keeps other users out.
 */
export function turnedAway(request: Request, token: string | undefined): Response | undefined {
  const { pathname } = new URL(request.url);
  if (pathname !== "/mcp") return problem(404, -32600, "there is nothing here: the endpoint is /mcp");
  const host = validateHostHeader(request.headers.get("host"), localhostAllowedHostnames());
  if (!host.ok) return problem(403, -32600, "this Host is not served: use localhost or 127.0.0.1");
  const foreign = originValidationResponse(request, localhostAllowedOrigins());
  if (foreign !== undefined) return foreign;
  if (token === undefined || isRight(request.headers.get("authorization"), token)) return undefined;
  return problem(401, -32600, "a bearer token is needed", { "WWW-Authenticate": 'Bearer realm="mcp-assay"' });
}

/** An answer that is a JSON-RPC error without an id. */
export function problem(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message } });
  return new Response(body, { status, headers: { "Content-Type": "application/json", ...headers } });
}

// --- internal ---

function isRight(header: string | null, token: string): boolean {
  const [, given = ""] = /^Bearer +(.+)$/i.exec(header ?? "") ?? [];
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
