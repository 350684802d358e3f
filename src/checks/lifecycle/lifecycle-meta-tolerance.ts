import * as v from "valibot";
import { walk } from "../../facts/lists.ts";
import { capabilities } from "../../facts/opening.ts";
import { safest } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, type JsonObject } from "../../model/json.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { sampleArguments } from "../../schema/sample.ts";
import { CONTROLS } from "../_bends.ts";
import { isServed, kindOfAnswer } from "./_kind.ts";

const _meta = {
  "com.example/probe": { a: 1 },
  foo: "bar",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
};

const metaIn = (json: unknown): unknown => at(json, "params", "_meta", "foo");

export default defineCheck({
  id: "lifecycle-meta-tolerance",
  title: "Unknown _meta keys in a request do no harm",
  why: "Clients put trace ids and other keys of theirs into _meta; a server that refuses them is lost to those clients.",
  fix: "Let params._meta be any object, ignore its keys that you don't know, and allow params on methods that need none.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"example.com/trace":"abc",…}}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
  ],
  effect: "shared",
  needs: { capabilities },
  params: v.object({ method: v.string() }),
  faults: [
    fault("refuses keys of _meta that it does not know", (server) =>
      server.reply((reply, { params }) =>
        at(params, "_meta", "foo") === undefined
          ? reply
          : { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "unknown key" } },
      ),
    ),
    fault(
      "answers tools/list with a plain 422 where it has params",
      (server) =>
        server.gate(({ json }) =>
          at(json, "method") === "tools/list" && metaIn(json) !== undefined
            ? { status: 422, headers: [["Content-Type", "text/plain"]], body: "unexpected field: params" }
            : undefined,
        ),
      { on: "http" },
    ),
    fault("hands _meta to its tools as an argument", (server) =>
      server.edit("tools/call", (result, { params }) => {
        if (at(params, "_meta", "foo") !== undefined) result["isError"] = true;
      }),
    ),
    fault(
      "answers the control request with HTTP 400 where it has further keys",
      (server) =>
        server.http((plan, { json }) =>
          CONTROLS.some((method) => method === at(json, "method")) && metaIn(json) !== undefined
            ? { ...plan, status: 400 }
            : plan,
        ),
      { on: "http" },
    ),
    fault("never answers a request with keys of _meta that it does not know", (server) =>
      server.reply((reply, { params }) => (at(params, "_meta", "foo") === undefined ? reply : undefined)),
    ),
  ],
  async run({ capabilities }, server) {
    await server.attributed(await server.control(), { codes: "any" });
    const first = await compare(server, server.params.method, {});
    if (capabilities["tools"] === undefined) return first;
    return worst(first, await compare(server, "tools/list", {}), await compareCall(server));
  },
});

// --- internal ---

/** The same request without and with the keys; what is not served without them says nothing. */
async function compare(server: Server, method: string, params: JsonObject): Promise<Outcome> {
  const plain = await server.send(method, Object.keys(params).length === 0 ? undefined : params);
  if (!isServed(plain)) return skipped(`${method} is not served without the keys either`);
  const probe = await server.attributed(await server.send(method, { ...params, _meta }), { codes: "any" });
  const [without, having] = [kindOfAnswer(plain), kindOfAnswer(probe)];
  return without === having
    ? pass(`${having} of ${method}, as without the keys`, undefined, probe, plain)
    : fail(`${without} of ${method}, as without the keys`, having, probe, plain);
}

const TRIES = 3;

/** A call of the first read-only tool that is served. */
async function compareCall(server: Server): Promise<Outcome> {
  const { pages } = await walk(server, "tools/list", "tools");
  const items = pages.flatMap((page): readonly unknown[] => (Array.isArray(page.items) ? page.items : []));
  const reading = safest(items).filter(({ raw }) => at(raw, "annotations", "readOnlyHint") === true);
  for (const tool of reading.slice(0, TRIES)) {
    const { args } = sampleArguments(tool.inputSchema);
    const found = await compare(server, "tools/call", { name: tool.name, arguments: args });
    if (found.status !== "skipped") return found;
  }
  return skipped("no read-only tool is served");
}
