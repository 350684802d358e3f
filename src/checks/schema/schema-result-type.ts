import { survey } from "../../facts/survey.ts";
import { defineReview } from "../../model/define.ts";
import { type Fault, fault } from "../../model/fault.ts";
import { at, kindOf } from "../../model/json.ts";
import { type Complaint, each, skipped } from "../../model/outcome.ts";
import { type Heard, heardIn } from "../_heard.ts";

const TYPE = ["resultType"];

export default defineReview({
  id: "schema-result-type",
  title: "Every result has a resultType",
  why: "By resultType a client knows whether an answer is the whole or a question back; without it the client has to guess.",
  fix: 'Put resultType "complete" into every result, also into those of lists, of server/discover and of calls with isError.',
  snippet: ['"result": { "resultType": "complete", "content": [{ "type": "text", "text": "done" }] }'],
  needs: { survey },
  faults: [
    typed("server/discover", "leaves resultType out of server/discover", undefined, ["lifecycle-discover"]),
    typed("tools/list", "leaves resultType out of tools/list", undefined),
    typed("tools/call", "leaves resultType out of tools/call", undefined, ["tools-call"]),
    typed("resources/read", "leaves resultType out of resources/read", undefined),
    typed("prompts/get", "leaves resultType out of prompts/get", undefined),
    typed("prompts/list", "gives prompts/list the resultType null", null),
    typed("resources/list", "gives resources/list a number for a resultType", 1),
    fault("gives resources/templates/list an empty resultType", (server) =>
      server.put("resources/templates/list", TYPE, ""),
    ),
    fault(
      "leaves resultType out of calls with isError",
      (server) =>
        server.edit("tools/call", (result) => {
          result["isError"] = true;
          delete result["resultType"];
        }),
      { alsoFails: ["schema-wire-valid", "tools-call"] },
    ),
  ],
  review(transcript) {
    const results = heardIn(transcript).filter(
      ({ message, request }) => request !== undefined && message.result !== undefined,
    );
    if (results.length === 0) return skipped("no result of a request of this revision came");
    const bad = results.find((one) => complaint(one) !== undefined);
    return each("results with a resultType", results, complaint, [(bad ?? results[0])?.exchange]);
  },
});

// --- internal ---

function complaint({ message, request }: Heard): Complaint {
  const type = at(message.result, "resultType");
  if (typeof type === "string" && type !== "") return undefined;
  return [`a resultType in the result of ${String(request?.method)}`, type === "" ? "an empty text" : kindOf(type)];
}

function typed(method: string, name: string, value: unknown, alsoFails: readonly string[] = []): Fault {
  return fault(name, (server) => (value === undefined ? server.drop(method, TYPE) : server.put(method, TYPE, value)), {
    alsoFails: ["schema-wire-valid", ...alsoFails],
  });
}
