import { type Walk, walks } from "../../facts/lists.ts";
import type { Bendable } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { resultOf, rpcError } from "../../model/message.ts";
import { fail, pass } from "../../model/outcome.ts";
import { page } from "../_bends.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";

const MISSING = "mcp-nonexistent-";
const COMPLETE = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

export default defineCheck({
  id: "resources-not-found",
  title: "Reading a resource that does not exist is an invalid parameter",
  why: "A client that gets empty contents takes the resource for one without a word in it; on another code it tries again, or gives the server up.",
  fix: "Answer resources/read of a URI that you don't know with error -32602 (in older revisions -32002), and put the uri into its data.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///none"}}',
    '<- {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"file:///none"}}}',
  ],
  effect: "shared",
  needs: { walk: walks.resources },
  faults: [
    missing("with the code of older revisions", { error: { code: -32002, message: "not found" } }, [
      "error-retired-codes",
    ]),
    missing("with an internal error", { error: { code: -32603, message: "not found" } }),
    missing("with code 0", { error: { code: 0, message: "not found" } }),
    missing("with -32001", { error: { code: -32001, message: "not found" } }),
    missing("with empty contents", { result: { ...COMPLETE, contents: [] } }),
    missing("with contents that say so", {
      result: { ...COMPLETE, contents: [{ uri: "assay://notes/none", text: "not found" }] },
    }),
    fault(
      "answers a missing resource with a bare 404",
      (server) =>
        server.gate(({ json }) =>
          at(json, "method") === "resources/read" && String(at(json, "params", "uri")).includes(MISSING)
            ? page(404, "not found")
            : undefined,
        ),
      { on: "http" },
    ),
    fault("never answers for a missing resource", (server) => onMissing(server, () => undefined)),
  ],
  async run({ walk }, server) {
    const uri = `${schemeIn(walk)}${MISSING}${server.unique()}`;
    const exchange = settled(await server.send("resources/read", { uri }));
    await server.attributed(exchange, { codes: [-32602] });
    const code = rpcError(exchange.reply)?.code;
    if (code === -32602) return pass(`error -32602 for ${uri}`, undefined, exchange);
    const contents = at(resultOf(exchange.reply), "contents");
    const saw = Array.isArray(contents) ? `${contents.length} contents` : sight(exchange);
    return fail(`error -32602 for ${uri}`, saw, exchange);
  },
});

// --- internal ---

/** One that the server knows. Web addresses are left out: it might go and look, and there is nobody. */
function schemeIn({ pages }: Walk): string {
  for (const { items } of pages) {
    for (const item of Array.isArray(items) ? items : []) {
      const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(String(at(item, "uri") ?? ""))?.[1];
      if (scheme === undefined || /^(https?|wss?|ftp)$/i.test(scheme)) continue;
      return scheme.toLowerCase() === "file" ? "file:///" : `${scheme}://`;
    }
  }
  return "test://";
}

function onMissing(server: Bendable, how: (id: unknown) => unknown): void {
  server.reply((reply, { method }) =>
    method === "resources/read" && reply.error !== undefined ? how(reply.id) : reply,
  );
}

function missing(how: string, answer: object, alsoFails: readonly string[] = []): Fault {
  return fault(
    `answers for a missing resource ${how}`,
    (server) => onMissing(server, (id) => ({ jsonrpc: "2.0", id, ...answer })),
    { alsoFails },
  );
}
