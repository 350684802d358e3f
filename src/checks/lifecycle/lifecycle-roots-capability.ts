import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import type { Transcript } from "../../model/exchange.ts";
import { fault } from "../../model/fault.ts";
import { at } from "../../model/json.ts";
import { fail, type Outcome, pass, skipped, worst } from "../../model/outcome.ts";
import type { Server } from "../../model/session.ts";
import { misasked, type Question, talk, unasked, undeclared } from "./_asking.ts";
import { servedAfter, servedBefore } from "./_harmless.ts";

const QUESTION: Question = { method: "roots/list", capability: "roots", topic: /\broots?(?![a-z])/i };

export default defineCheck({
  id: "lifecycle-roots-capability",
  title: "The server asks for roots only clients that declare roots",
  why: "A client without roots refuses the request; a server that waits for the answer keeps its user waiting, too.",
  fix: "Look at the client's capabilities before roots/list, and take both its answer and notifications/roots/list_changed.",
  snippet: [
    'const folders = client.capabilities.roots === undefined ? [process.cwd()] : await client.request("roots/list");',
  ],
  effect: "own",
  needs: { opening },
  faults: [
    fault("asks every client for its roots", (server) =>
      server.tool("show_roots", async (_, { ask }) => {
        await ask("roots/list");
        return { content: [] };
      }),
    ),
    fault("asks for roots with a list for params", (server) =>
      server.tool("show_roots", async (_, { session, ask }) => {
        if (session.capabilities["roots"] !== undefined) await ask("roots/list", { _meta: [] });
        return { content: [] };
      }),
    ),
    fault("asks for roots with a list for params in a tool that tells it by its name alone", (server) => {
      server.edit("tools/list", ({ tools }) => {
        for (const tool of Array.isArray(tools) ? tools : []) {
          if (tool.name === "show_roots") tool.description = "Shows where the client works.";
        }
      });
      server.tool("show_roots", async (_, { session, ask }) => {
        if (session.capabilities["roots"] !== undefined) await ask("roots/list", { _meta: [] });
        return { content: [] };
      });
    }),
    fault("stops when it is given the roots", (server) =>
      server.tool("show_roots", async (_, { session, ask, die }) => {
        if (session.capabilities["roots"] === undefined) return { content: [] };
        await ask("roots/list");
        die();
        return new Promise(() => {});
      }),
    ),
    fault(
      "stops when the roots change",
      (server) => server.before("notifications/roots/list_changed", ({ die }) => die()),
      { on: "stdio" },
    ),
    fault(
      "refuses the client's answer with HTTP 400",
      (server) =>
        server.http((plan, { json }) =>
          at(json, "result", "roots") === undefined ? plan : { status: 400, headers: [] },
        ),
      { on: "http" },
    ),
  ],
  async run(_, server) {
    const unwanted = undeclared(QUESTION, await talk(server, QUESTION, {}));
    if (unwanted !== undefined) return unwanted;
    const having = await talk(server, QUESTION, { roots: { listChanged: true } });
    const wrong = misasked(QUESTION, having) ?? (await tellChange(having.session));
    if (wrong !== undefined) return wrong;
    const asked = having.session.heard().some(({ message }) => message?.method === QUESTION.method);
    if (having.asked.length === 0 && !asked) return skipped("the server never asks for roots");
    return pass("the answer to roots/list taken, and a change of the roots", undefined, having.asked[0]?.exchange);
  },
  review: (transcript) => worst(unasked(QUESTION, transcript), taken(transcript)),
});

// --- internal ---

/** Tells that the roots have changed; the server may ask again, and has to go on serving. */
async function tellChange(session: Server): Promise<Outcome | undefined> {
  const before = await servedBefore(session);
  const told = await session.notify("notifications/roots/list_changed");
  await session.control();
  // What it asks then may come at any time.
  await new Promise((resolve) => setTimeout(resolve, session.quiet));
  return servedAfter(session, before, [told]);
}

/** The answers of the client that we play are taken. */
function taken(transcript: Transcript): Outcome {
  const answers = transcript.filter(({ request }) => Array.isArray(at(request?.result, "roots")));
  const refused = answers.find(({ http }) => (http?.status ?? 202) >= 400);
  if (refused !== undefined) {
    return fail("HTTP 202 to the answer to roots/list", `HTTP ${refused.http?.status ?? 0}`, refused);
  }
  return answers.length === 0 ? skipped("the server never asks for roots") : pass("each answer to roots/list taken");
}
