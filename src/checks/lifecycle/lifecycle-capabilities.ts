import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject } from "../../model/json.ts";
import { fail, pass } from "../../model/outcome.ts";
import { bool, dict, obj } from "../../schema/shape.ts";
import { inOpening } from "../_bends.ts";

const object = obj({});
const changes = obj({}, { listChanged: bool });
const shape = obj(
  {},
  {
    experimental: dict(object),
    extensions: dict(object),
    logging: object,
    completions: object,
    tools: changes,
    prompts: changes,
    resources: obj({}, { subscribe: bool, listChanged: bool }),
    tasks: obj({}, { list: object, cancel: object, requests: obj({}, { tools: obj({}, { call: object }) }) }),
  },
);

export default defineCheck({
  id: "lifecycle-capabilities",
  title: "The opening answer carries an object of capabilities",
  why: "Clients use only what is declared there; a member of the wrong type is taken for undeclared, or breaks the client's parser.",
  fix: "Send capabilities as an object ({} if there are none): one object per feature, with listChanged and subscribe as booleans in it.",
  effect: "shared",
  needs: { opening },
  faults: [
    fault("leaves capabilities out", inOpening(["capabilities"], undefined), {
      alsoFails: ["lifecycle-init", "lifecycle-discover", ...UNDECLARED],
    }),
    fault("declares null", inOpening(["capabilities"], null), {
      alsoFails: ["lifecycle-discover", ...UNDECLARED],
    }),
    fault("lists its capabilities in an array", inOpening(["capabilities"], []), {
      alsoFails: ["lifecycle-discover", ...UNDECLARED],
    }),
    fault("declares logging with true", inOpening(["capabilities", "logging"], true)),
    fault("declares prompts as an array", inOpening(["capabilities", "prompts"], [])),
    fault("gives listChanged of prompts as text", inOpening(["capabilities", "prompts", "listChanged"], "true"),
    ),
    fault("gives subscribe as null", inOpening(["capabilities", "resources", "subscribe"], null),
    ),
    fault("declares an experimental feature with true", inOpening(["capabilities", "experimental"], { "com.example/feature": true }),
    ),
  ],
  async run({ opening: { exchange, result } }) {
    const found = shape(result["capabilities"], "/capabilities");
    if (found !== undefined) return fail(`${found.expected} at ${found.path}`, found.actual, exchange);
    const declared = isObject(result["capabilities"]) ? Object.keys(result["capabilities"]) : [];
    const names = declared.map((name) => name.slice(0, 40)).join(", ");
    return pass(names === "" ? "no capabilities" : names, undefined, exchange);
  },
});
