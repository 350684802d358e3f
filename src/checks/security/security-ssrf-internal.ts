import { callable } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import type { StringArgument } from "../../schema/sample.ts";
import { fill, nameOf, type Slot, slotsOf, unreached, wordsOf } from "./_slots.ts";

export default defineCheck({
  id: "security-ssrf-internal",
  title: "URL arguments cannot make the server fetch an internal address",
  why: "A server that fetches any address reads for a stranger what only it can reach: its own network and the cloud's metadata.",
  fix: "Before you fetch, resolve the host and refuse loopback, private and link-local addresses, also after a redirect.",
  snippet: [
    "const { address } = await lookup(url.hostname);",
    'if (isPrivate(address)) throw new Error("that address is not public");',
    "// connect to the address that was checked, and check each redirect again",
  ],
  effect: "own",
  needs: { callable },
  faults: [
    fault("fetches an address of its own machine", (server) =>
      server.tool("check_link", async ({ url }, { visit }) => {
        await visit(String(url));
        return { content: [{ type: "text", text: "no note links there" }] };
      }),
    ),
    fault("gives back what it fetched from its own machine", (server) =>
      server.tool("check_link", async ({ url }, { visit }) => ({
        content: [{ type: "text", text: await visit(String(url)) }],
      })),
    ),
    fault("fetches an address of its own machine after its answer", (server) =>
      server.after("tools/call", async ({ params, visit }) => {
        const url = /"(http:\/\/127[^"]+)"/.exec(JSON.stringify(params))?.[1];
        if (url !== undefined) await visit(url);
      }),
    ),
    fault("dies of an address of its own machine", (server) =>
      server.before("tools/call", ({ params, die }) => {
        if (JSON.stringify(params).includes("127.0.0.1")) die();
      }),
    ),
  ],
  async run({ callable }, server) {
    const slots = slotsOf(callable, isUrl);
    if (slots.length === 0) return skipped("no tool that may be called takes a URL");
    if (!server.target.loopback) {
      return skipped("our listener on this machine can't be reached from there: the server is elsewhere");
    }
    let note: string | undefined;
    let sent = 0;
    let reached = 0;
    for (const slot of slots) {
      // A listener for each: what it hears is about this argument and no other.
      const listener = await server.listenLocally();
      const filled = await fill(server, slot, listener.url);
      // A server may fetch when it has answered: a later answer shows that it had its turn, and nothing more can be waited for.
      if (listener.hits().length === 0) await server.control();
      if (listener.hits().length === 0) await new Promise((resolve) => setTimeout(resolve, server.quiet));
      const back = filled?.text.includes(listener.body) === true;
      if (back || listener.hits().length > 0) {
        if (!fetches(slot)) {
          const actual = back ? "what our listener answers" : "a request to our listener";
          const expected = "nothing that a fetch of 127.0.0.1 brings";
          return fail(expected, `${actual}, asked for by ${nameOf(slot)}`, filled?.exchange);
        }
        note ??= `${nameOf(slot)} fetches 127.0.0.1, too; fetching what the caller names is what it is for`;
      }
      if (filled === undefined) continue;
      sent += 1;
      if (filled.reached) reached += 1;
    }
    if (sent === 0 && note === undefined) return skipped("no tool that takes a URL answers a plain call");
    if (reached === 0 && note === undefined) return unreached(server, "security-ssrf-internal", slots, sent);
    const saw =
      note === undefined ? "our listener was not asked" : "our listener was asked by documented fetchers only";
    return pass(`${saw} (${slots.map(nameOf).join(", ")})`, note);
  },
});

// --- internal ---

const URL_WORDS = ["url", "urls", "uri", "link", "href", "endpoint", "webhook", "callback", "website"];
const URL_FORMATS = ["uri", "url", "iri", "uri-reference"];

const isUrl = ({ name, format }: StringArgument): boolean =>
  format === undefined ? wordsOf(name).some((word) => URL_WORDS.includes(word)) : URL_FORMATS.includes(format);

/** Whether the texts of the tool say that it goes and gets what the caller names. */
const fetches = ({ tool, argument }: Slot): boolean =>
  /\b(?:(?:fetch|scrap|crawl|brows|navigat|visit|download)(?:e?s|e|ing|ch|ches)?|screenshots?|curl|https? requests?|(?:web ?)?pages? (?:at|from)|(?:contents?|text|html|file) (?:of|from|at) (?:a|the|any) (?:url|web|link)|url\b[^.]{0,20} (?:to|of the))\b/i.test(
    `${tool.name.replace(/[_-]/g, " ")} ${tool.description} ${argument.description ?? ""}`,
  );
