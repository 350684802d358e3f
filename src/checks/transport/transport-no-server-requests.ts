import { survey } from "../../facts/survey.ts";
import type { Serving } from "../../model/bendable.ts";
import { defineReview } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { oneLine } from "../../text/escape.ts";
import { heardIn } from "../_heard.ts";

export default defineReview({
  id: "transport-no-server-requests",
  title: "The server sends no JSON-RPC request",
  why: "Clients of this revision answer no requests: whoever waits for an answer to one waits for ever.",
  fix: 'Answer the request that needs something of the client with resultType "input_required" and its inputRequests, and send no request by yourself.',
  snippet: [
    '<- {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{…}}}}}',
  ],
  needs: { survey },
  faults: [
    fault("asks for the roots while it lists its tools", (server) =>
      server.before("tools/list", ask("r-1", "roots/list")),
    ),
    fault("asks the user in the midst of a call", (server) =>
      server.before("tools/call", ask("e-1", "elicitation/create", { message: "Sure?", requestedSchema: {} })),
    ),
    fault("asks the model while it reads a resource", (server) =>
      server.before("resources/read", ask(7, "sampling/createMessage", { messages: [], maxTokens: 1 })),
    ),
    fault("pings the client", (server) => server.before("prompts/list", ask("p-1", "ping"))),
  ],
  review(transcript) {
    const heard = heardIn(transcript);
    const asking = heard.find(({ message }) => typeof message.method === "string" && message.id !== undefined);
    if (asking === undefined) return pass(`no request among ${count(heard.length, "message")}`);
    return fail("no request of the server", `a request ${oneLine(String(asking.message.method), 60)}`, asking.exchange);
  },
});

// --- internal ---

const ask =
  (id: string | number, method: string, params?: object) =>
  ({ send }: Serving): void =>
    send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
