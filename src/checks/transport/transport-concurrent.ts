import * as v from "valibot";
import { echo, textsIn } from "../../facts/echo.ts";
import { opening } from "../../facts/opening.ts";
import type { Bendable, Serving } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import type { Exchange } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { isResponse, resultOf } from "../../model/message.ts";
import { type Complaint, each, pass, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { CONTROLS, page } from "../_bends.ts";
import { sight } from "../_sight.ts";

/** Echo calls among the requests of each session; the others are control requests. */
const ECHOES = 3;

/** Checks that ask several things at once, too. */
const CROWDED = { alsoFails: ["lifecycle-id-match"] };

export default defineCheck({
  id: "transport-concurrent",
  title: "Requests in flight at the same time each get their own answer",
  why: "Clients ask for several things at once; an answer that is lost, doubled or swapped goes to the wrong question, unnoticed.",
  fix: "Keep the request's id and data in the handler of that request, not in a field of the server or the session, and answer on its own HTTP response.",
  snippet: [
    'app.post("/mcp", async (request, response) => {',
    "  const { id, method, params } = request.body; // local to this request, never a field of the server",
    '  response.json({ jsonrpc: "2.0", id, result: await handle(method, params) });',
    "});",
  ],
  effect: "own",
  uses: "http",
  needs: { opening, echo },
  params: v.object({ count: v.number(), sessions: v.number() }),
  faults: [
    fault(
      "gives the id of the latest request to every answer",
      (server) => {
        let latest: unknown;
        beforeControl(server, ({ message }) => {
          latest = message.id;
          return soon();
        });
        server.reply((reply, { method }) => (isControl(method) ? { ...reply, id: latest } : reply));
      },
      CROWDED,
    ),
    fault("keeps the arguments of all calls in one place", (server) => {
      let latest: unknown;
      server.tool("echo", async ({ text }) => {
        latest = text;
        await soon();
        return { content: [{ type: "text", text: latest }] };
      });
    }),
    fault(
      "mixes up sessions that use the same ids",
      (server) => {
        const kept = new Map<unknown, unknown>();
        server.tool("echo", async ({ text }, { message }) => {
          kept.set(message.id, text);
          await soon();
          return { content: [{ type: "text", text: kept.get(message.id) }] };
        });
      },
      { only: "2025-11-25" },
    ),
    fault(
      "never answers a request that comes while another is served",
      (server) => {
        let running = 0;
        const lost = new Set<unknown>();
        beforeControl(server, async ({ message }) => {
          if (++running > 1) lost.add(message.id);
          else await soon();
          running--;
        });
        server.reply((reply) => (lost.delete(reply.id) ? undefined : reply));
      },
      CROWDED,
    ),
    fault(
      "answers a second time while others are served",
      (server) => {
        let running = 0;
        server.tool("echo", async ({ text }) => {
          running++;
          await soon();
          return { content: [{ type: "text", text }] };
        });
        server.after("tools/call", ({ send, message }) => {
          if (running-- > 1) send({ jsonrpc: "2.0", id: message.id, result: { content: [] } });
        });
      },
      { alsoFails: ["schema-result-type", "schema-wire-valid"] },
    ),
    fault(
      "breaks down when asked two things at once",
      (server) => {
        let running = 0;
        const lost = new Set<unknown>();
        beforeControl(server, async ({ message }) => {
          if (++running > 1) lost.add(message.id);
          await soon();
          running--;
        });
        server.http((plan, { json }) => (lost.delete(at(json, "id")) ? page(503, "busy", "text/plain") : plan));
      },
      CROWDED,
    ),
  ],
  async run({ echo: { echo } }, server) {
    const { count, sessions } = server.params;
    const ids = Array.from({ length: count }, () => server.unique());
    const others = Array.from({ length: sessions - 1 }, () => server.open());
    const all = [server, ...(await Promise.all(others))];
    const control = await server.attributed(await server.control());
    await Promise.all(all.map((session) => session.opened()));
    const method = String(control.request?.method);
    const ask = async (session: Server, id: string, index: number): Promise<Asked> => {
      const marker = echo !== undefined && index < ECHOES ? server.unique() : undefined;
      const asked = marker === undefined || echo === undefined ? { method, params: undefined } : echo.ask(marker);
      return { id, marker, exchange: await session.send(asked.method, asked.params, { id, linger: server.quiet }) };
    };
    const asked = await Promise.all(all.flatMap((session) => ids.map((id, index) => ask(session, id, index))));
    for (const { exchange } of asked) await server.attributed(exchange);
    const first = asked.find((one) => complaint(one, asked) !== undefined) ?? asked[0];
    const judged = each("requests at once", asked, (one) => complaint(one, asked), [first?.exchange]);
    const note = "no tool or prompt gives back a text, so only the ids were compared";
    return echo === undefined ? worst(judged, pass(`${asked.length} answers`, note)) : judged;
  },
});

// --- internal ---

interface Asked {
  readonly id: string;
  /** The text that is to come back, where this was an echo call. */
  readonly marker: string | undefined;
  readonly exchange: Exchange;
}

function complaint({ id, marker, exchange }: Asked, all: readonly Asked[]): Complaint {
  const answers = exchange.received.flatMap(({ message }) =>
    message !== undefined && isResponse(message) ? [message] : [],
  );
  const foreign = answers.find((answer) => answer.id !== id);
  if (foreign !== undefined)
    return ["the answer to each request on its own response", `the answer to ${shown(foreign.id)}`];
  if (answers.length === 0) return ["an answer to each request", sight(exchange)];
  if (answers.length > 1) return ["one answer to each request", `${answers.length} answers to one`];
  const texts = textsIn(exchange.reply);
  const swapped = all.some(
    (other) => other.marker !== undefined && other.marker !== marker && has(texts, other.marker),
  );
  if (swapped) return ["the payload of its own request in each answer", "the payload of another request"];
  const result = resultOf(exchange.reply);
  if (marker === undefined || result === undefined || at(result, "isError") === true || has(texts, marker))
    return undefined;
  return ["the payload of its own request in each answer", "an answer without it"];
}

const has = (texts: readonly string[], marker: string): boolean => texts.some((text) => text.includes(marker));
const shown = (id: unknown): string => `id ${JSON.stringify(id)?.slice(0, 60)}`;

const isControl = (method: unknown): boolean => CONTROLS.some((each) => each === method);

function beforeControl(server: Bendable, how: (serving: Serving) => unknown): void {
  for (const method of CONTROLS) server.before(method, how);
}

/** Long enough for other requests to arrive meanwhile. */
function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
