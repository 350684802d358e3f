import { calls } from "../../facts/tools.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { at, type JsonObject } from "../../model/json.ts";
import { fail, type Outcome, pass, skipped } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { misasked, type Question, quick, type Talk, talk, unasked, undeclared } from "./_asking.ts";
import { eliciting, form } from "./_asking-faults.ts";

const QUESTION: Question = {
  method: "elicitation/create",
  capability: "elicitation",
  topic: /elicit|\bask|\busers?\b|\bforms?\b/i,
};

/** What a client may declare, and the mode that this allows (an empty object is the form mode). */
const MODES: readonly { readonly declared: JsonObject; readonly mode: "form" | "url" }[] = [
  { declared: {}, mode: "form" },
  { declared: { form: {} }, mode: "form" },
  { declared: { url: {} }, mode: "url" },
];

export default defineCheck({
  id: "lifecycle-elicitation-capability",
  title: "The server elicits only in modes that the client declared",
  why: "A client that shows no forms, or opens no pages, can only refuse; the tool that asked then fails or waits for ever.",
  fix: "Look at elicitation.form and elicitation.url of the client ({} means form) before elicitation/create, and keep the schema flat.",
  snippet: [
    "const { elicitation } = client.capabilities;",
    "const forms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);",
    'if (!forms) return { content: [{ type: "text", text: "Please give the date as an argument." }], isError: true };',
  ],
  effect: "own",
  needs: { calls },
  faults: [
    fault("elicits from every client", (server) => eliciting(server, () => true, form)),
    fault("sends a page to a client that shows forms only", (server) =>
      eliciting(server, (declared) => declared !== undefined, {
        mode: "url",
        message: "Log in",
        url: "https://example.com/login",
        elicitationId: "1",
      }),
    ),
    fault("sends a form to a client that opens pages only", (server) =>
      eliciting(server, (declared) => declared !== undefined, form),
    ),
    fault("elicits with a nested schema", (server) =>
      eliciting(server, showsForms, {
        ...form,
        requestedSchema: {
          type: "object",
          properties: { address: { type: "object", properties: { city: { type: "string" } } } },
        },
      }),
    ),
    fault("elicits without a message", (server) =>
      eliciting(server, showsForms, { requestedSchema: form.requestedSchema }),
    ),
    fault("elicits without a schema", (server) => eliciting(server, showsForms, { message: form.message })),
    fault("never finishes a call whose question was declined", (server) =>
      server.tool("ask_user", async (_, { session, ask }) => {
        if (!showsForms(session.capabilities["elicitation"])) return { content: [], isError: true };
        await ask("elicitation/create", form);
        return new Promise(() => {});
      }),
    ),
  ],
  async run({ calls }, server) {
    const others = quick(calls);
    const unwanted = undeclared(QUESTION, await talk(server, QUESTION, {}, others));
    if (unwanted !== undefined) return unwanted;
    const talks: Talk[] = [];
    for (const { declared, mode } of MODES) {
      const having = await talk(server, QUESTION, { elicitation: declared }, others);
      talks.push(having);
      const wrong = misasked(QUESTION, having) ?? inOtherMode(having, declared, mode);
      if (wrong !== undefined) return wrong;
    }
    const asked = talks.flatMap((each) => each.asked);
    const first = asked[0];
    if (first === undefined) return skipped("the server never elicits");
    return pass(
      `${count(asked.length, "request")}, each well-formed and in a declared mode`,
      undefined,
      first.exchange,
    );
  },
  review: (transcript) => unasked(QUESTION, transcript),
});

// --- internal ---

function inOtherMode({ asked, negotiated }: Talk, declared: JsonObject, mode: "form" | "url"): Outcome | undefined {
  // The revision before this one knows forms only, whatever stands in the capability.
  const allowed = negotiated >= "2025-11-25" ? mode : "form";
  const other = asked.find(({ params }) => (at(params, "mode") ?? "form") !== allowed);
  if (other === undefined) return undefined;
  const expected = `mode ${allowed} where elicitation is declared as ${JSON.stringify(declared)}`;
  return fail(expected, `mode ${String(at(other.params, "mode") ?? "form").slice(0, 40)}`, other.exchange);
}

const showsForms = (declared: unknown): boolean =>
  declared !== undefined && (at(declared, "url") === undefined || at(declared, "form") !== undefined);
