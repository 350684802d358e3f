import { at, type JsonObject } from "../model/json.ts";
import type { Message } from "../model/message.ts";

const refused = (method: string): JsonObject => ({
  error: { code: -32601, message: `this client did not declare the capability for ${method}` },
});

/** The client that the tester plays (2025-11-25, client/roots, client/sampling, client/elicitation, basic/utilities/ping). */
export function answerAsClient(request: Message, capabilities: JsonObject): JsonObject {
  const method = String(request.method);
  switch (method) {
    case "ping":
      return { result: {} };
    case "roots/list":
      return capabilities["roots"] === undefined ? refused(method) : { result: { roots: [] } };
    case "sampling/createMessage":
      return capabilities["sampling"] === undefined
        ? refused(method)
        : {
            result: {
              role: "assistant",
              content: { type: "text", text: "a sampled answer" },
              model: "mcp-assay",
              stopReason: "endTurn",
            },
          };
    case "elicitation/create":
      // Declining is always a legal answer, whatever the form asks for.
      return capabilities["elicitation"] === undefined || at(request.params, "mode") === "url"
        ? refused(method)
        : { result: { action: "decline" } };
    default:
      return { error: { code: -32601, message: `this client does not know ${method}` } };
  }
}
