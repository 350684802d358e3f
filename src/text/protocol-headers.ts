/**
 * Whether a request header is one that the protocol or HTTP itself fixes for each request: what a user gives for it, as
 * clients' configurations do with Content-Type, would stand beside the right one and be judged as the server's mistake.
 */
export const isProtocolHeader = (name: string): boolean => FIXED.has(name.toLowerCase());

// --- internal ---

const FIXED: ReadonlySet<string> = new Set([
  ...["accept", "content-type", "content-length", "transfer-encoding", "connection", "last-event-id"],
  ...["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"],
]);
