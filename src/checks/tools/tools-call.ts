import { type Call, calls } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { count } from "../../text/count.ts";
import { cap } from "../../text/escape.ts";
import { ASKING_BACK, askedBack } from "../_asking-back.ts";
import { misshapen } from "../_misshapen.ts";
import { together } from "../_noting.ts";
import { sight } from "../_sight.ts";

const refused = (code: number, message: string) => ({ error: { code, message } });

export default defineCheck({
  id: "tools-call",
  title: "Calling a tool with arguments of its schema gives a result with content",
  why: "The content array is all that a client hands to the model; a call without it looks like a broken tool.",
  fix: "Answer tools/call with { content: [ … ] }, empty where there is nothing to say; report the tool's own errors there, with isError: true.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3 notes found"}]}}',
    '   "result": { "content": [{ "type": "text", "text": "The index is locked" }], "isError": true }',
  ],
  effect: "shared",
  needs: { calls },
  params: ASKING_BACK,
  faults: [
    fault(
      "answers tools/call with -32601",
      (server) => server.answer("tools/call", () => refused(-32601, "method not found")),
      { alsoFails: ["tools-call-unknown"] },
    ),
    fault("takes empty arguments for an empty array and refuses them", (server) =>
      server.reply((reply, { method, params }) =>
        method === "tools/call" && isObject(params["arguments"]) && Object.keys(params["arguments"]).length === 0
          ? { jsonrpc: "2.0", id: reply.id, ...refused(-32602, "arguments has to be an object, not an array") }
          : reply,
      ),
    ),
    misshapen("answers tools/call without content", (server) => server.drop("tools/call", ["content"])),
    misshapen("answers tools/call with null for content", (server) => server.put("tools/call", ["content"], null)),
    misshapen("answers tools/call with a text for content", (server) => server.put("tools/call", ["content"], "done")),
    misshapen("answers tools/call with one block in place of an array", (server) =>
      server.put("tools/call", ["content"], { type: "text", text: "done" }),
    ),
    misshapen("answers tools/call with a bare array", (server) => server.edit("tools/call", ({ content }) => content), {
      alsoFails: ["schema-result-type"],
    }),
    misshapen("answers tools/call with a bare text", (server) => server.edit("tools/call", () => "done"), {
      alsoFails: ["schema-result-type"],
    }),
    misshapen("reports a tool's error without content", (server) =>
      server.tool("now", () => ({ isError: true, message: "the clock stands still" })),
    ),
    fault(
      "asks for input and says not which",
      (server) => server.tool("now", () => ({ resultType: "input_required" })),
      {
        only: "2026-07-28",
        alsoFails: ["schema-input-required-shape"],
      },
    ),
    misshapen(
      "asks for input by a list of questions",
      (server) =>
        server.tool("now", () => ({ resultType: "input_required", inputRequests: [{ method: "roots/list" }] })),
      { only: "2026-07-28", alsoFails: ["schema-input-required-shape"] },
    ),
    fault("never answers the call of one tool", (server) => server.tool("show_roots", () => new Promise(() => {}))),
    fault(
      "answers the call of one tool with HTTP 502",
      (server) =>
        server.gate(({ body }) =>
          body.includes('"name":"show_roots"') ? { status: 502, headers: [], body: "Bad Gateway" } : undefined,
        ),
      { on: "http" },
    ),
  ],
  async run({ calls }, server) {
    const outcomes: Outcome[] = [];
    for (const call of calls) outcomes.push(await judged(call, server, server.params.inputRequired));
    const [first, ...rest] = outcomes;
    if (first === undefined) return skipped("no tool may be called");
    return together(
      [first, ...rest],
      `${count(outcomes.length, "call")} answered with a result, or with an error of their own`,
    );
  },
});

// --- internal ---

async function judged({ tool, guessed, exchange }: Call, server: Server, mayAsk: boolean): Promise<Outcome> {
  await server.attributed(exchange, { codes: "any" });
  const who = `tool ${JSON.stringify(cap(tool.name, 60))}`;
  const asked = mayAsk ? askedBack(exchange, who) : undefined;
  if (asked !== undefined) return asked;
  const error = rpcError(exchange.reply);
  if (error !== undefined) {
    if (error.code === -32601)
      return fail("a result of tools/call, since tools are declared", `error -32601 for ${who}`, exchange);
    if (error.code === -32602 && guessed.length === 0) {
      return fail("a result for arguments that the schema itself names", `error -32602 for ${who}`, exchange);
    }
    const why =
      guessed.length > 0 ? `arguments had to be guessed (${cap(guessed.join(", "), 60)})` : "no argument was guessed";
    return pass(`error ${error.code}`, `${who} answered with error ${error.code}; ${why}`, exchange);
  }
  const result = resultOf(exchange.reply);
  if (!isObject(result)) return fail("a result object of tools/call", `${sight(exchange)} for ${who}`, exchange);
  if (!Array.isArray(result["content"])) {
    return fail("an array of content", `${kindOf(result["content"])} for ${who}`, exchange);
  }
  return result["isError"] === true
    ? pass("a result with isError and content", `${who} answered with isError`, exchange)
    : pass("a result with content", undefined, exchange);
}
