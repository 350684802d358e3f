import { callable, isReadOnly } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { type Exchange, header } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { sampleArguments } from "../../schema/sample.ts";
import { count } from "../../text/count.ts";
import { statusOf } from "./_again.ts";

export default defineCheck({
  id: "security-rate-limiting",
  title: "A burst of tool calls is limited, or at least does no harm",
  why: "A model in a loop calls the same tool again and again; the server has to bear that, or say that it is too much.",
  fix: "Count calls per client and answer with HTTP 429 and Retry-After, or with a JSON-RPC error, once there are too many.",
  snippet: ["<- HTTP/1.1 429 Too Many Requests", "   Retry-After: 30"],
  effect: "alone",
  needs: { callable },
  faults: [
    fault("answers with 500 after forty calls", (server) => {
      let calls = 0;
      server.http((plan, { json }) => {
        if (at(json, "method") !== "tools/call" || at(json, "params", "name") !== "now") return plan;
        calls += 1;
        return calls > 40 ? { status: 500, headers: [["Content-Type", "text/plain"]], body: "busy" } : plan;
      });
    }),
    fault("dies of forty calls", (server) => {
      let calls = 0;
      server.before("tools/call", ({ params, die }) => {
        if (params["name"] === "now") calls += 1;
        if (calls > 40) die();
      });
    }),
    fault("answers with 503 under load and says nothing of when to come back", (server) => {
      let calls = 0;
      server.http((plan, { json }) => {
        if (at(json, "params", "name") !== "now") return plan;
        calls += 1;
        return calls > 30 ? { status: 503, headers: [["Content-Type", "text/plain"]], body: "overloaded" } : plan;
      });
    }),
  ],
  async run({ callable }, server) {
    const tool = callable.find(
      (each) => isReadOnly(each) && Object.keys(sampleArguments(each.inputSchema).args).length === 0,
    );
    if (tool === undefined) return skipped("no read-only tool works without arguments");
    const made: Exchange[] = [];
    while (made.length < CALLS) {
      const wave = await Promise.all(
        Array.from({ length: WAVE }, () =>
          server.send("tools/call", { name: tool.name, arguments: {} }, { once: true }),
        ),
      );
      made.push(...wave);
      const limit = wave.find(isLimit);
      if (limit !== undefined) {
        const status = limit.http === undefined ? "" : ` (HTTP ${statusOf(limit)})`;
        return pass(`a limit after ${count(made.indexOf(limit), "call")} of ${tool.name}${status}`, undefined, limit);
      }
      const broken = wave.find((each) => each.reply === undefined || statusOf(each) >= 500);
      if (broken !== undefined) {
        await server.attributed(broken);
        return fail(`answers to ${CALLS} calls of ${tool.name}`, `HTTP ${statusOf(broken)} without one`, broken);
      }
    }
    await server.attributed(await server.control());
    return pass(
      `${CALLS} calls of ${tool.name} answered`,
      "no limit was seen; it may be higher, or count by user or minute",
      made.at(-1),
    );
  },
});

// --- internal ---

const CALLS = 50;
const WAVE = 10;

/** 429, an answer that says when to come back, or an error that says what it is about. */
function isLimit({ http, reply }: Exchange): boolean {
  if (http?.status === 429 || header(http?.headers, "retry-after") !== undefined) return true;
  const failed = reply?.error !== undefined || at(reply?.result, "isError") === true;
  return failed && /rate.?limit|too many|throttl|quota|slow down/i.test(JSON.stringify(reply));
}
