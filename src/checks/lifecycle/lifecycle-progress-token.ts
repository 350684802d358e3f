import { type Call, calls } from "../../facts/tools.ts";
import type { Bendable, Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, same } from "../../model/json.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { sight } from "../_sight.ts";
import { shown } from "./_echo.ts";
import { callWithToken, isProgress, late, type TokenCall, tokenIn } from "./_progress.ts";

/** A slower tool is called with a token only if it speaks of progress itself. */
const SLOW = 2000;

export default defineCheck({
  id: "lifecycle-progress-token",
  title: "Progress carries its request's token, rises, and ends with the response",
  why: "Clients find the request by the token; progress under another one, or after the response, makes some close the connection.",
  fix: "Copy _meta.progressToken as it came (0 is one, too), let progress rise with each notification, and send none after the response.",
  snippet: [
    '-> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index","arguments":{},"_meta":{"progressToken":0}}}',
    '<- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1,"total":3}}',
    '<- {"jsonrpc":"2.0","id":1,"result":{"content":[]}} (last)',
  ],
  effect: "own",
  needs: { calls },
  faults: [
    fault("reports progress under a token of its own", (server) =>
      counting(server, ({ message }, report) => report(`tool-call-${String(message.id)}`, 1)),
    ),
    fault("gives the token back as a text", (server) =>
      counting(server, (_, report, token) => {
        if (token !== undefined) report(String(token), 1);
      }),
    ),
    fault("reports progress that falls", (server) =>
      counting(server, (_, report, token) => {
        if (token !== undefined) for (const progress of [1, 3, 2]) report(token, progress);
      }),
    ),
    fault("reports the same progress twice", (server) =>
      counting(server, (_, report, token) => {
        if (token !== undefined) for (const progress of [1, 1]) report(token, progress);
      }),
    ),
    fault(
      "reports its progress as a text",
      (server) =>
        counting(server, (_, report, token) => {
          if (token !== undefined) report(token, "50 %");
        }),
      { alsoFails: ["schema-wire-valid"] },
    ),
    fault("goes on reporting progress after the response", (server) =>
      server.after("tools/call", async ({ notify, params }) => {
        const progressToken = at(params, "_meta", "progressToken");
        if (progressToken === undefined) return;
        await new Promise((resolve) => setTimeout(resolve, 30));
        notify("notifications/progress", { progressToken, progress: 99 });
      }),
    ),
    fault(
      "reports progress after the response on the stream of GET",
      (server) =>
        server.after("tools/call", ({ broadcast, params }) => {
          const progressToken = at(params, "_meta", "progressToken");
          if (progressToken !== undefined) broadcast("notifications/progress", { progressToken, progress: 99 });
        }),
      { only: "2025-11-25" },
    ),
    fault(
      "exits once it has answered a call with a token",
      (server) =>
        server.after("tools/call", ({ params, die }) =>
          at(params, "_meta", "progressToken") === undefined ? undefined : die(),
        ),
      { on: "stdio" },
    ),
    fault("refuses a call with a token", (server) =>
      server.reply((reply, { method, params }) =>
        method === "tools/call" && at(params, "_meta", "progressToken") !== undefined
          ? { jsonrpc: "2.0", id: reply.id, error: { code: -32602, message: "unexpected _meta" } }
          : reply,
      ),
    ),
    fault("takes no token that is a number", (server) =>
      server.edit("tools/call", (result, { params }) => {
        if (typeof at(params, "_meta", "progressToken") === "number") result["isError"] = true;
      }),
    ),
  ],
  async run({ calls }, server) {
    const session = await server.open({ listen: server.transport === "http" });
    const made: TokenCall[] = [];
    let last: Call | undefined;
    for (last of candidates(calls)) {
      made.push(await callWithToken(session, last, server.unique()));
      if (made.some(({ complaint, reports }) => complaint !== undefined || reports > 0)) break;
    }
    if (last === undefined) return skipped("no tool was served that could be called with a token");
    if (made.every(({ complaint }) => complaint === undefined)) made.push(await callWithToken(session, last, 0));
    const wrong = made.find(({ complaint }) => complaint !== undefined)?.complaint;
    if (wrong !== undefined) return wrong;
    // What comes late on stdout has no request to fence it off.
    if (server.transport === "stdio") await new Promise((resolve) => setTimeout(resolve, server.quiet));
    // The fence for what the stream of GET still brings.
    const next = await session.control();
    if (next.end === "closed") return fail("an answer to the next request", sight(next), next, ...exchangesOf(made));
    const afterwards = late(session, made);
    if (afterwards !== undefined) return afterwards;
    const reports = made.reduce((sum, call) => sum + call.reports, 0);
    const cited = exchangesOf(made);
    return reports === 0
      ? pass(`${count(made.length, "call")} with a token served`, "no progress was sent, which is allowed", ...cited)
      : pass(`${reports} reports of progress in ${count(made.length, "call")} with a token`, undefined, ...cited);
  },
  review(transcript) {
    const tokens = transcript.flatMap(({ request }) => at(request?.params, "_meta", "progressToken") ?? []);
    for (const exchange of transcript) {
      const foreign = exchange.received.find(
        (each) => isProgress(each) && !tokens.some((token) => same(token, tokenIn(each))),
      );
      if (foreign !== undefined) {
        return fail("progress only under tokens that were sent", `the token ${shown(tokenIn(foreign))}`, exchange);
      }
    }
    return skipped("no progress came that nobody asked for");
  },
});

// --- internal ---

const exchangesOf = (made: readonly TokenCall[]) => made.slice(-2).map(({ exchange }) => exchange);

/** Calls that were served without a token: those of tools that speak of progress first. */
function candidates(calls: readonly Call[]): readonly Call[] {
  const speaks = ({ tool }: Call) => /progress/i.test(`${tool.name} ${tool.description}`);
  const served = calls.filter(({ completed }) => completed !== undefined);
  const quick = served.filter((call) => !speaks(call) && call.exchange.ms <= SLOW);
  const found = [...served.filter(speaks), ...quick];
  return found.length > 0 ? found : (served.length > 0 ? served : calls).slice(0, 1);
}

/** Makes the tool `count` report its progress in another way. */
function counting(
  server: Bendable,
  how: (serving: Serving, report: (progressToken: unknown, progress: unknown) => void, token: unknown) => void,
): void {
  server.tool("count", (_, serving) => {
    const report = (progressToken: unknown, progress: unknown) =>
      serving.notify("notifications/progress", { progressToken, progress });
    how(serving, report, at(serving.params, "_meta", "progressToken"));
    return { content: [{ type: "text", text: "counted" }] };
  });
}
