import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";

/** A tool's own error: for the model to read, and to do better. */
export const refused = (why: string): CallToolResult => ({ content: [{ type: "text", text: why }], isError: true });

/** A result as lines for people and as a value for programs. */
export const answered = (lines: readonly string[], value: object): CallToolResult => ({
  content: [{ type: "text", text: lines.join("\n") }],
  structuredContent: { ...value },
});

/** Tells the client how far a call is, if it wants to know. Progress is a courtesy: that it can't be sent stops nothing. */
export function progressOf({
  mcpReq,
}: ServerContext): (done: number, total: number | undefined, message: string) => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  return (progress, total, message) => {
    // Who called it off is told no more: what the run then leaves out would come as a heap.
    if (mcpReq.signal.aborted) return;
    const params = { progressToken: token, progress, message, ...(total === undefined ? {} : { total }) };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
