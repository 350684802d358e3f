import { calls } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { misasked, type Question, quick, talk, unasked, undeclared } from "./_asking.ts";
import { sampling } from "./_asking-faults.ts";

const QUESTION: Question = {
  method: "sampling/createMessage",
  capability: "sampling",
  topic: /sampl|\bl?lms?\b|\bmodels?\b/i,
};

export default defineCheck({
  id: "lifecycle-sampling-capability",
  title: "The server samples only from clients that declare sampling",
  why: "A client without sampling refuses the request, and the tool that asked fails or waits for ever.",
  fix: "Look at the client's capabilities before sampling/createMessage, send messages and maxTokens, and finish the call with any answer.",
  snippet: [
    'if (client.capabilities.sampling === undefined) return { content: [{ type: "text", text: plainSummary }] };',
    'await client.request("sampling/createMessage", { messages, maxTokens: 500 });',
  ],
  effect: "own",
  needs: { calls },
  faults: [
    fault("samples from every client", (server) => sampling(server, {}, false)),
    fault("samples without maxTokens", (server) => sampling(server, { maxTokens: undefined })),
    fault("samples with a text for messages", (server) => sampling(server, { messages: "Say something." })),
    fault("samples with tools from a client that did not declare them", (server) =>
      sampling(server, { tools: [{ name: "echo", inputSchema: { type: "object" } }], toolChoice: { mode: "auto" } }),
    ),
    fault("never finishes a call for which it sampled", (server) =>
      server.tool("ask_model", async (_, { session, ask }) => {
        if (session.capabilities["sampling"] === undefined) return { content: [], isError: true };
        await ask("sampling/createMessage", { messages: [], maxTokens: 20 });
        return new Promise(() => {});
      }),
    ),
  ],
  async run({ calls }, server) {
    const others = quick(calls);
    const unwanted = undeclared(QUESTION, await talk(server, QUESTION, {}, others));
    if (unwanted !== undefined) return unwanted;
    const having = await talk(server, QUESTION, { sampling: {} }, others);
    const wrong = misasked(QUESTION, having);
    if (wrong !== undefined) return wrong;
    const tooled = having.asked.find(
      ({ params }) => at(params, "tools") !== undefined || at(params, "toolChoice") !== undefined,
    );
    // Sampling with tools came with 2025-11-25; to the revisions before it they are unknown members.
    if (tooled !== undefined && having.negotiated >= "2025-11-25") {
      return fail(
        "sampling without tools, since sampling.tools is not declared",
        "sampling with tools",
        tooled.exchange,
      );
    }
    const first = having.asked[0];
    if (first === undefined) return skipped("the server never samples");
    return pass(`${count(having.asked.length, "request")}, each well-formed`, undefined, first.exchange);
  },
  review: (transcript) => unasked(QUESTION, transcript),
});
