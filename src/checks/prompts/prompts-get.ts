import { lists } from "../../facts/lists.ts";
import { capabilities, negotiated } from "../../facts/opening.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, isObject, type JsonObject, kindOf } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { type Complaint, fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { count } from "../../text/count.ts";
import { cap } from "../../text/escape.ts";
import { ASKING_BACK, askedBack } from "../_asking-back.ts";
import { contentComplaint } from "../_content.ts";
import { misshapen } from "../_misshapen.ts";
import { together } from "../_noting.ts";
import { sight } from "../_sight.ts";

const MOST = 5;
const GET = "prompts/get";
const GUESS = "example";

const put = (path: readonly (string | number)[], value: unknown) => (server: Bendable) => server.put(GET, path, value);

export default defineCheck({
  id: "prompts-get",
  title: "A listed prompt can be got, as messages with a role and one content block",
  why: "A client puts these messages before the model as they are; one of another shape makes it refuse the prompt.",
  fix: "Answer prompts/get with { messages: [ { role, content } ] }: role is user or assistant, content is one block and no array.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"who":"Ada"}}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Greet Ada."}}]}}',
  ],
  effect: "shared",
  needs: { list: lists.prompts, capabilities, negotiated },
  params: ASKING_BACK,
  faults: [
    fault("lists prompts and knows no prompts/get", (server) =>
      server.answer(GET, () => ({ error: { code: -32601, message: "method not found" } })),
    ),
    fault("refuses a prompt that needs no argument", (server) =>
      server.reply((reply, { method, params }) =>
        method === GET && params["name"] === "summary"
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "arguments are missing" } }
          : reply,
      ),
    ),
    misshapen("gives a prompt without messages", (server) => server.drop(GET, ["messages"])),
    misshapen("gives a prompt's messages as a text", put(["messages"], "About the greeting.")),
    misshapen("gives a prompt as a bare array", (server) => server.edit(GET, ({ messages }) => messages), {
      alsoFails: ["schema-result-type"],
    }),
    misshapen("gives a message as a bare text", put(["messages", 0], "About the greeting.")),
    misshapen("gives a message of the system", put(["messages", 0, "role"], "system")),
    misshapen("gives a message without a role", (server) => server.drop(GET, ["messages", 0, "role"])),
    misshapen("gives a message without content", (server) => server.drop(GET, ["messages", 0, "content"])),
    misshapen(
      "gives a message an array of content",
      put(["messages", 0, "content"], [{ type: "text", text: "About it." }]),
    ),
    misshapen("gives a message a bare text for content", put(["messages", 0, "content"], "About it.")),
    misshapen(
      "gives a message content of an unknown type",
      put(["messages", 0, "content"], { type: "html", html: "<p>" }),
    ),
    fault(
      "gives a prompt's resource by a relative path",
      put(["messages", 0, "content"], { type: "resource", resource: { uri: "docs/a.md", text: "a" } }),
    ),
    misshapen("gives a prompt a description that is null", put(["description"], null)),
    fault(
      "asks for input before it gives a prompt and says not which",
      (server) => server.answer(GET, () => ({ result: { resultType: "input_required" } })),
      { only: "2026-07-28", alsoFails: ["schema-input-required-shape"] },
    ),
    misshapen(
      "asks for input before it gives a prompt and keeps its state as a number",
      (server) => server.answer(GET, () => ({ result: { resultType: "input_required", requestState: 7 } })),
      { only: "2026-07-28", alsoFails: ["schema-input-required-shape"] },
    ),
    fault("never answers prompts/get", (server) => server.answer(GET, () => undefined)),
  ],
  async run({ list, capabilities, negotiated }, server) {
    const completes = capabilities["completions"] !== undefined;
    const outcomes: Outcome[] = [];
    for (const prompt of list.items.filter(isNamed).slice(0, MOST)) {
      outcomes.push(await get(prompt, { completes, negotiated, mayAsk: server.params.inputRequired }, server));
    }
    const [first, ...rest] = outcomes;
    if (first === undefined) return skipped("no prompt is listed");
    const got = outcomes.filter(({ status }) => status === "pass").length;
    return together([first, ...rest], `${count(got, "prompt")} got, with the right messages`);
  },
});

// --- internal ---

const isNamed = (prompt: unknown): boolean => typeof at(prompt, "name") === "string" && at(prompt, "name") !== "";

interface Asking {
  readonly completes: boolean;
  readonly negotiated: string;
  readonly mayAsk: boolean;
}

async function get(prompt: unknown, { completes, negotiated, mayAsk }: Asking, server: Server): Promise<Outcome> {
  const name = String(at(prompt, "name"));
  const who = `prompt ${JSON.stringify(cap(name, 60))}`;
  const args: Record<string, string> = {};
  for (const argument of required(prompt)) {
    args[argument] = (completes ? await offered(name, argument, args, server) : undefined) ?? GUESS;
  }
  const needs = Object.keys(args).length;
  const exchange = await server.request(GET, needs > 0 ? { name, arguments: args } : { name });
  const asked = mayAsk ? askedBack(exchange, who) : undefined;
  if (asked !== undefined) return asked;
  const error = rpcError(exchange.reply);
  if (error !== undefined && error.code !== -32601 && needs > 0) {
    return skipped(`every prompt refused the arguments that had to be guessed: ${who} with error ${error.code}`);
  }
  const result = resultOf(exchange.reply);
  if (!isObject(result)) {
    const wanted = needs > 0 ? "the messages of a listed prompt" : "the messages of a prompt that requires no argument";
    return fail(wanted, `${sight(exchange)} for ${who}`, exchange);
  }
  const found = complaint(result, negotiated);
  return found === undefined
    ? pass("prompts got with the right messages", undefined, exchange)
    : fail(found[0], `${found[1]} for ${who}`, exchange);
}

function required(prompt: unknown): readonly string[] {
  const listed = at(prompt, "arguments");
  return (Array.isArray(listed) ? listed : []).flatMap((argument: unknown) => {
    const name = at(argument, "name");
    return typeof name === "string" && at(argument, "required") === true ? [name] : [];
  });
}

/** The first value that the server itself offers for an argument. */
async function offered(
  name: string,
  argument: string,
  before: JsonObject,
  server: Server,
): Promise<string | undefined> {
  const exchange = await server.send("completion/complete", {
    ref: { type: "ref/prompt", name },
    argument: { name: argument, value: "" },
    ...(Object.keys(before).length > 0 ? { context: { arguments: { ...before } } } : {}),
  });
  const value = at(resultOf(exchange.reply), "completion", "values", 0);
  return typeof value === "string" ? value : undefined;
}

function complaint({ messages, ...result }: { readonly [key: string]: unknown }, negotiated: string): Complaint {
  if (!Array.isArray(messages)) return ["an array of messages", kindOf(messages)];
  if ("description" in result && typeof result["description"] !== "string") {
    return ["a text for description, or none", kindOf(result["description"])];
  }
  for (const message of messages) {
    if (!isObject(message)) return ["an object for each message", kindOf(message)];
    const { role, content } = message;
    if (role !== "user" && role !== "assistant") {
      return ['role "user" or "assistant"', typeof role === "string" ? JSON.stringify(cap(role, 40)) : kindOf(role)];
    }
    if (Array.isArray(content)) return ["one content block in each message", "an array"];
    const found = contentComplaint(content, negotiated);
    if (found !== undefined) return found;
  }
  return undefined;
}
