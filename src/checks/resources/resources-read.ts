import { lists } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import { resultOf } from "../../model/message.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { contents as contentsShape } from "../../schema/shapes-content.ts";
import { count } from "../../text/count.ts";
import { cap } from "../../text/escape.ts";
import { ASKING_BACK, askedBack } from "../_asking-back.ts";
import { misshapen } from "../_misshapen.ts";
import { together } from "../_noting.ts";
import { sight } from "../_sight.ts";
import { urisOf } from "./_uris.ts";

const MOST = 3;
const FIRST = ["contents", 0];

export default defineCheck({
  id: "resources-read",
  title: "A listed resource can be read",
  why: "Without a uri and a text or a blob in each item, a client has nothing to show or to hand to the model.",
  fix: "Answer resources/read with { contents: [ { uri, text } ] }, or blob in standard base64 for bytes; an empty text is fine.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///notes/1.md"}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///notes/1.md","mimeType":"text/markdown","text":"# One"}]}}',
  ],
  effect: "shared",
  needs: { list: lists.resources },
  params: ASKING_BACK,
  faults: [
    fault(
      "lists resources and knows no resources/read",
      (server) => server.answer("resources/read", () => ({ error: { code: -32601, message: "method not found" } })),
      // Since 2026-07-28 -32601 does not say of a resource that it is not there.
      { alsoFails: ["resources-not-found"] },
    ),
    fault("does not find a resource that it lists", (server) =>
      server.answer("resources/read", () => ({ error: { code: -32002, message: "resource not found" } })),
    ),
    misshapen(
      "reads a resource as bare contents",
      (server) =>
        server.edit("resources/read", (result) =>
          Array.isArray(result["contents"]) ? result["contents"][0] : undefined,
        ),
      { alsoFails: ["schema-result-type", "resources-read-caching"] },
    ),
    misshapen("reads a resource as an object of contents", (server) =>
      server.edit("resources/read", (result) => {
        if (Array.isArray(result["contents"])) result["contents"] = result["contents"][0];
      }),
    ),
    fault(
      "asks for input before it reads a resource and says not which",
      (server) => server.edit("resources/read", () => ({ resultType: "input_required" })),
      { only: "2026-07-28", alsoFails: ["schema-input-required-shape"] },
    ),
    misshapen(
      "asks for input before it reads a resource by a method that no client knows",
      (server) =>
        server.edit("resources/read", () => ({
          resultType: "input_required",
          inputRequests: { answer: { method: "user/ask", params: {} } },
        })),
      { only: "2026-07-28", alsoFails: ["schema-input-required-shape"] },
    ),
    misshapen("reads a resource with neither text nor blob", (server) =>
      server.drop("resources/read", [...FIRST, "text"]),
    ),
    misshapen("reads a resource whose text is null", (server) =>
      server.put("resources/read", [...FIRST, "text"], null),
    ),
    misshapen("reads a resource whose text is an object", (server) =>
      server.put("resources/read", [...FIRST, "text"], { note: "first" }),
    ),
    misshapen("reads a resource without its uri", (server) => server.drop("resources/read", [...FIRST, "uri"])),
    fault("reads a resource with a relative path for its uri", (server) =>
      server.put("resources/read", [...FIRST, "uri"], "notes/first"),
    ),
    misshapen("reads null among the contents of a resource", (server) =>
      server.put("resources/read", ["contents", 1], null),
    ),
    misshapen("reads bytes as an array of numbers", (server) =>
      server.put("resources/read", ["contents", 0], { uri: "assay://notes/first", blob: [1, 2, 3] }),
    ),
    fault("reads bytes as base64 with a line break", (server) =>
      server.put("resources/read", ["contents", 0], { uri: "assay://notes/first", blob: "aGVs\nbG8=" }),
    ),
    fault("reads bytes as base64 for URLs", (server) =>
      server.put("resources/read", ["contents", 0], { uri: "assay://notes/first", blob: "-_-_" }),
    ),
  ],
  async run({ list }, server) {
    const outcomes: Outcome[] = [];
    for (const uri of urisOf(list).slice(0, MOST)) {
      outcomes.push(await read(server, uri, server.params.inputRequired));
    }
    const [first, ...rest] = outcomes;
    if (first === undefined) return skipped("no resource is listed");
    return together([first, ...rest], `${count(outcomes.length, "resource")} read`);
  },
});

// --- internal ---

async function read(server: Server, uri: string, mayAsk: boolean): Promise<Outcome> {
  const exchange = await server.request("resources/read", { uri });
  const result = resultOf(exchange.reply);
  const which = cap(uri, 60);
  const asked = mayAsk ? askedBack(exchange, which) : undefined;
  if (asked !== undefined) return asked;
  if (!isObject(result)) {
    // server/resources#https: such a resource is for the client to fetch by itself.
    return /^https?:/i.test(uri) && exchange.reply.error !== undefined
      ? pass(`${sight(exchange)} for a web address`, `${which} can't be read through the server`, exchange)
      : fail(`the contents of a listed resource`, `${sight(exchange)} for ${which}`, exchange);
  }
  const { contents } = result;
  if (!Array.isArray(contents)) return fail("an array of contents", `${kindOf(contents)} for ${which}`, exchange);
  if (contents.length === 0) return pass("empty contents", `${which} is listed and has no contents`, exchange);
  for (const [index, item] of contents.entries()) {
    const found = contentsShape(item, `/contents/${index}`);
    if (found !== undefined)
      return fail(`${found.expected} at ${found.path}`, `${found.actual} for ${which}`, exchange);
  }
  return pass("resources read, each with text or bytes", undefined, exchange);
}
