import { lastOf, walks } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import { rpcError } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { template as templateShape } from "../../schema/shapes-content.ts";
import { listing } from "../_listing.ts";
import { misshapen } from "../_misshapen.ts";

const METHOD = "resources/templates/list";
const FIRST = ["resourceTemplates", 0];

export default defineCheck({
  id: "resources-templates",
  title: "resources/templates/list gives templates, or says that there is no such method",
  why: "Clients ask for the templates with the resources; another answer than a list or -32601 can cost them both.",
  fix: "Answer resources/templates/list with { resourceTemplates: [ { uriTemplate, name } ] }; an empty array will do.",
  snippet: [
    '<- {"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[{"uriTemplate":"file:///notes/{id}.md","name":"note"}]}}',
  ],
  effect: "shared",
  needs: { walk: walks.templates },
  faults: [
    fault("refuses resources/templates/list with -32603", (server) =>
      server.answer(METHOD, () => ({ error: { code: -32603, message: "internal error" } })),
    ),
    misshapen(
      "lists its templates as resources",
      (server) => server.edit(METHOD, (result) => ({ resources: result["resourceTemplates"] })),
      { alsoFails: ["schema-result-type"] },
    ),
    misshapen("lists null for its templates", (server) => server.put(METHOD, ["resourceTemplates"], null)),
    misshapen("lists null among its templates", (server) => server.put(METHOD, FIRST, null)),
    misshapen("lists a template by its bare text", (server) => server.put(METHOD, FIRST, "assay://notes/{name}")),
    misshapen("lists a template without a uriTemplate", (server) => server.drop(METHOD, [...FIRST, "uriTemplate"])),
    misshapen("lists a template with a uri in place of a uriTemplate", (server) =>
      server.put(METHOD, FIRST, { uri: "assay://notes/{name}", name: "note" }),
    ),
    fault("lists a template whose brace is not closed", (server) =>
      server.put(METHOD, [...FIRST, "uriTemplate"], "assay://notes/{name"),
    ),
    misshapen("lists a template without a name", (server) => server.drop(METHOD, [...FIRST, "name"])),
    misshapen("gives null for the cursor after its last template", (server) =>
      server.put(METHOD, ["nextCursor"], null),
    ),
    fault("never answers resources/templates/list", (server) => server.answer(METHOD, () => undefined)),
  ],
  async run({ walk }, server) {
    const { pages, end } = walk;
    const last = lastOf(walk);
    if (end === "error" && pages.length === 1 && rpcError(last.reply)?.code === -32601) {
      await server.attributed(last, { codes: "any" });
      return pass("error -32601", "the server has no templates; the method can't be declared by itself", last);
    }
    const outcome = await listing(walk, { noun: "templates", capability: "resources" }, server);
    if (outcome.status !== "pass") return outcome;
    if (end === "bad-cursor")
      return fail("a string for nextCursor, or none at all", kindOf(pages.at(-1)?.nextCursor), last);
    for (const { items, exchange } of pages) {
      for (const item of Array.isArray(items) ? items : []) {
        const found = templateShape(item, "");
        if (found === undefined) continue;
        const which = isObject(item) ? "a template" : kindOf(item);
        return fail(`${found.expected} at ${found.path} of each template`, `${found.actual} for ${which}`, exchange);
      }
    }
    return outcome;
  },
});
