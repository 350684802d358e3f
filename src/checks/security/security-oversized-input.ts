import { callable, type Tool } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import type { StringArgument } from "../../schema/sample.ts";
import { settled } from "../_refusal.ts";
import { sight } from "../_sight.ts";
import { call, isMute, nameOf, slotsOf } from "./_slots.ts";

const SIZE = 1024 * 1024;
const isLarge = (params: unknown): boolean => JSON.stringify(params).length > SIZE;

export default defineCheck({
  id: "security-oversized-input",
  title: "A 1 MiB argument does not take the server down",
  why: "Files and logs end up in arguments; a server that falls silent or dies of one takes every other session with it.",
  fix: "Limit the size of a message and answer what is larger with an error (HTTP 413), without blocking other requests.",
  snippet: ['app.use(express.json({ limit: "4mb" })); // what is larger gets 413'],
  effect: "alone",
  needs: { callable },
  faults: [
    fault("dies of an argument of 1 MiB", (server) =>
      server.before("tools/call", ({ params, die }) => {
        if (isLarge(params)) die();
      }),
    ),
    fault("never answers a call with an argument of 1 MiB", (server) =>
      server.reply((reply, { params }) => (isLarge(params) ? undefined : reply)),
    ),
    fault("falls silent for good after an argument of 1 MiB", (server) => {
      let deaf = false;
      server.before("*", ({ params }) => {
        deaf ||= isLarge(params);
      });
      server.reply((reply) => (deaf ? undefined : reply));
    }),
    fault("answers an argument of 1 MiB and then falls silent", (server) => {
      let deaf = false;
      server.after("tools/call", ({ params }) => {
        deaf ||= isLarge(params);
      });
      server.before("*", () => (deaf ? new Promise(() => {}) : undefined));
    }),
    fault(
      "answers an argument of 1 MiB with 500",
      (server) =>
        server.http((plan, { body }) =>
          body.length > SIZE
            ? { status: 500, headers: [["Content-Type", "text/plain"]], body: "Internal Server Error" }
            : plan,
        ),
      { on: "http" },
    ),
  ],
  async run({ callable }, server) {
    const [slot] = slotsOf(callable, (argument, tool) => argument.format === undefined && !isHeader(argument, tool));
    if (slot === undefined) return skipped("no tool that may be called takes free text");
    const sent = await call(server, slot, "a".repeat(SIZE));
    // Whoever does not read so much can't give the id back.
    const exchange = settled(sent);
    const known = await server.control();
    const alive = known.reply !== undefined;
    const what = `1 MiB as ${nameOf(slot)}`;
    if (exchange.end === "timeout" && !alive) {
      return fail(`a server that answers after ${what}`, "a server that has fallen silent", exchange, known);
    }
    if (await isMute(server, slot, exchange)) return skipped("the tool that takes free text answers no plain call");
    await server.attributed(exchange, { codes: "any" });
    if (!alive) return fail(`the control request answered after ${what}`, sight(known), known, exchange);
    return pass(`${sight(exchange)} to ${what}, and the control request answered after it`, undefined, exchange, known);
  },
});

// --- internal ---

/** Whether the argument also goes into an HTTP header, which no server reads at that size. */
const isHeader = ({ name }: StringArgument, { inputSchema }: Tool): boolean =>
  at(inputSchema, "properties", name, "x-mcp-header") !== undefined;
