import { survey } from "../../facts/survey.ts";
import { defineReview } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { fail, pass } from "../../model/outcome.ts";
import { count } from "../../text/count.ts";
import { oneLine } from "../../text/escape.ts";
import { heardIn } from "../_heard.ts";
import { ASKING, isInputRequired } from "./_input-required.ts";

export default defineReview({
  id: "schema-no-input-required-on-lists",
  title: "input_required is answered only to tools/call, resources/read and prompts/get",
  why: "Clients list and discover before anybody is there who could be asked; a question back leaves them without the list.",
  fix: "Answer lists, server/discover and completion/complete with what can be said without asking, and ask when a tool, resource or prompt is used.",
  snippet: [
    "tools/list, resources/list, prompts/list, server/discover, completion/complete:",
    '"result": { "resultType": "complete", … }',
  ],
  needs: { survey },
  faults: [
    asking("asks back when its tools are listed", "tools/list"),
    asking("asks back when its resources are listed", "resources/list"),
    asking("asks back when its templates are listed", "resources/templates/list"),
    asking("asks back when its prompts are listed", "prompts/list"),
    asking("asks back when it is discovered", "server/discover", ["lifecycle-discover"]),
    fault(
      "asks back with nothing else when its prompts are listed",
      (server) => server.edit("prompts/list", () => ({ resultType: "input_required", requestState: "asked" })),
      { alsoFails: ["prompts-list", "schema-wire-valid"] },
    ),
  ],
  review(transcript) {
    const heard = heardIn(transcript);
    const asking = heard.find(
      ({ message, request }) =>
        request !== undefined && isInputRequired(message) && !ASKING.includes(String(request.method)),
    );
    if (asking === undefined) return pass(`none elsewhere among ${count(heard.length, "message")}`);
    const method = oneLine(String(asking.request?.method), 60);
    return fail(`a complete result of ${method}`, "input_required", asking.exchange);
  },
});

// --- internal ---

/** It lists all the same, so that nothing but the type is wrong. */
function asking(name: string, method: string, alsoFails: readonly string[] = []): Fault {
  return fault(
    name,
    (server) => {
      server.put(method, ["resultType"], "input_required");
      server.put(method, ["requestState"], "asked");
    },
    { alsoFails },
  );
}
