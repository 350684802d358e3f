import { negotiated, opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";
import { bool, dict, obj } from "../../schema/shape.ts";
import { inOpening } from "../_bends.ts";

const object = obj({});
const changes = obj({}, { listChanged: bool });
const members = {
  experimental: dict(object),
  extensions: dict(object),
  logging: object,
  completions: object,
  tools: changes,
  prompts: changes,
  resources: obj({}, { subscribe: bool, listChanged: bool }),
};
const tasks = obj({}, { list: object, cancel: object, requests: obj({}, { tools: obj({}, { call: object }) }) });

/** Checks that look for what is declared, or at the form in which it is. */
const UNDECLARED = [
  "lifecycle-list-changed",
  "lifecycle-discover",
  "lifecycle-capability-handlers-match",
  "error-capability-gated",
  "schema-wire-valid",
];
const ALSO = { alsoFails: ["schema-wire-valid"] };

export default defineCheck({
  id: "lifecycle-capabilities",
  title: "The opening answer carries an object of capabilities",
  why: "Clients use only what is declared there; a member of the wrong type is taken for undeclared, or breaks the client's parser.",
  fix: "Send capabilities as an object ({} if there are none): one object per feature, with listChanged and subscribe as booleans in it.",
  snippet: ['"capabilities": { "tools": { "listChanged": true }, "resources": { "subscribe": true }, "logging": {} }'],
  effect: "shared",
  needs: { opening, negotiated },
  faults: [
    fault("leaves capabilities out", inOpening(["capabilities"], undefined), {
      alsoFails: ["lifecycle-init", ...UNDECLARED],
    }),
    fault("declares null", inOpening(["capabilities"], null), {
      alsoFails: UNDECLARED,
    }),
    fault("lists its capabilities in an array", inOpening(["capabilities"], []), {
      alsoFails: UNDECLARED,
    }),
    fault("declares logging with true", inOpening(["capabilities", "logging"], true), ALSO),
    fault("declares prompts as an array", inOpening(["capabilities", "prompts"], []), ALSO),
    fault("gives listChanged of prompts as text", inOpening(["capabilities", "prompts", "listChanged"], "true"), ALSO),
    fault("gives subscribe as null", inOpening(["capabilities", "resources", "subscribe"], null), ALSO),
    fault(
      "declares an experimental feature with true",
      inOpening(["capabilities", "experimental"], { "com.example/feature": true }),
      ALSO,
    ),
    fault("declares tasks as an array", inOpening(["capabilities", "tasks"], []), {
      only: "2025-11-25",
    }),
  ],
  async run({ opening: { exchange, result }, negotiated }) {
    // Only this revision knows tasks; in others the member may be anything.
    const shape = obj({}, negotiated === "2025-11-25" ? { ...members, tasks } : members);
    const found = shape(result["capabilities"], "/capabilities");
    if (found !== undefined) return fail(`${found.expected} at ${found.path}`, found.actual, exchange);
    const declared = isObject(result["capabilities"]) ? Object.keys(result["capabilities"]) : [];
    const names = declared.map((name) => name.slice(0, 40)).join(", ");
    return pass(names === "" ? "no capabilities" : names, undefined, exchange);
  },
});
