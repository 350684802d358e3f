import type { Opening } from "../../facts/opening.ts";
import { type Exchange, header } from "../../model/exchange.ts";
import { at, isObject } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import type { RawHttp, Server } from "../../model/session.ts";

/** The revision whose requests may come without a version header: none of them had one. */
export const HEADERLESS = "2025-03-26";

/** What shows that a server also speaks revisions that begin with initialize, or undefined. */
export async function legacySide(opening: Opening, server: Server & RawHttp): Promise<string | undefined> {
  const listed = at(opening.result, "supportedVersions");
  const older = Array.isArray(listed) ? listed.filter((each) => typeof each === "string" && isLegacy(each)) : [];
  if (older[0] !== undefined) return `it lists ${older[0]} among its versions`;
  const { negotiated } = await initialize(server, LATEST);
  return negotiated === undefined ? undefined : `it answers initialize with ${negotiated}`;
}

/**
 * Asks as a client of that revision would, outside the conversation of the run, and leaves again.
 * `negotiated` is undefined where no legacy session came of it.
 */
export async function initialize(
  server: Server & RawHttp,
  protocolVersion: string,
): Promise<{ readonly exchange: Exchange; readonly negotiated: string | undefined }> {
  const id = server.unique();
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "mcp-assay", version: "1" } };
  const exchange = await server.http({
    frame: "sessionless",
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params }),
    id,
  });
  const session = header(exchange.http?.headers, "mcp-session-id");
  if (session !== undefined) {
    await server.http({
      method: "DELETE",
      frame: "sessionless",
      set: { "Mcp-Session-Id": session },
      headersOnly: true,
    });
  }
  const result = resultOf(exchange.reply);
  const negotiated = isObject(result) ? result["protocolVersion"] : undefined;
  return { exchange, negotiated: typeof negotiated === "string" && isLegacy(negotiated) ? negotiated : undefined };
}

// --- internal ---

const LATEST = "2025-11-25";

const isLegacy = (version: string): boolean => /^\d{4}-\d\d-\d\d$/.test(version) && version <= LATEST;
