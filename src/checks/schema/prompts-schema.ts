import { lists } from "../../facts/lists.ts";
import { negotiated } from "../../facts/opening.ts";
import type { Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { isObject, kindOf } from "../../model/json.ts";
import type { Complaint } from "../../model/outcome.ts";
import { prompt as promptShape } from "../../schema/shapes-content.ts";
import { misshapen } from "../_misshapen.ts";
import { noting } from "../_noting.ts";
import { bendItem, besides, called, eachListed } from "./_listed.ts";

/** A server whose prompt on the second page is bent; no other check has to use it. */
const picture = (members: Draft) => bendItem("prompts", "picture", (prompt) => Object.assign(prompt, members));

export default defineCheck({
  id: "prompts-schema",
  title: "Every prompt has a name and named arguments",
  why: "A client shows prompts by their names and asks the user for each argument by its own; it can do neither without them.",
  fix: "Give each prompt a non-empty string as name, and each of its arguments a name of its own; required is true, false or left out.",
  snippet: ['{ "name": "greet", "title": "Greet somebody", "arguments": [{ "name": "who", "required": true }] }'],
  effect: "shared",
  needs: { list: lists.prompts, negotiated },
  faults: [
    misshapen(
      "lists a prompt without a name",
      bendItem("prompts", "picture", (prompt) => delete prompt["name"]),
    ),
    fault("lists a prompt with an empty name", picture({ name: "" })),
    misshapen("names a prompt by a number", picture({ name: 7 })),
    misshapen("lists the arguments of a prompt as an object", picture({ arguments: { size: { required: false } } })),
    misshapen("lists null for the arguments of a prompt", picture({ arguments: null })),
    misshapen("lists the arguments of a prompt by bare names", picture({ arguments: ["size"] })),
    misshapen("lists a prompt's argument without a name", picture({ arguments: [{ description: "the size" }] })),
    misshapen("names a prompt's argument by a number", picture({ arguments: [{ name: 1 }] })),
    fault("gives two arguments of a prompt one name", picture({ arguments: [{ name: "size" }, { name: "size" }] })),
    misshapen(
      "says whether an argument is required in words",
      picture({ arguments: [{ name: "size", required: "false" }] }),
    ),
  ],
  async run({ list, negotiated }) {
    const outcome = eachListed("prompts", list, list.items, complaint);
    return noting(outcome, list.items.flatMap(besides("prompt", promptShape, { name: "x" }, negotiated)));
  },
});

// --- internal ---

function complaint(prompt: unknown, index: number): Complaint {
  if (!isObject(prompt)) return ["an object for each prompt", kindOf(prompt)];
  const { name, arguments: args = [] } = prompt;
  const who = called("prompt", prompt, index);
  if (typeof name !== "string") return ["a name for each prompt", `${kindOf(name)} for ${who}`];
  if (name === "") return ["a name for each prompt", `an empty name for ${who}`];
  if (!Array.isArray(args)) return ["an array of arguments", `${kindOf(args)} for ${who}`];
  const names = new Set<string>();
  for (const [place, argument] of args.entries()) {
    const which = `${called("argument", argument, place)} of ${who}`;
    if (!isObject(argument)) return ["an object for each argument", `${kindOf(argument)} for ${which}`];
    if (typeof argument["name"] !== "string") {
      return ["a name for each argument", `${kindOf(argument["name"])} for ${which}`];
    }
    if (names.has(argument["name"])) return ["arguments with different names", `a second ${which}`];
    names.add(argument["name"]);
    if ("required" in argument && typeof argument["required"] !== "boolean") {
      return ["true or false for required", `${kindOf(argument["required"])} for ${which}`];
    }
  }
  return undefined;
}
