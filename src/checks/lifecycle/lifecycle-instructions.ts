import { opening } from "../../facts/opening.ts";
import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";
import { kindOf } from "../../model/json.ts";
import { fail, pass, skipped } from "../../model/outcome.ts";
import { inOpening } from "../_bends.ts";

const ALSO = { alsoFails: ["schema-wire-valid"] };

export default defineCheck({
  id: "lifecycle-instructions",
  title: "The instructions are a text",
  why: "Clients put the instructions into the model's prompt as they are; anything but text can't be put there.",
  fix: "Send instructions as one string, or leave the member out where there are none.",
  snippet: ['"instructions": "Search first, then read a note by its id."'],
  effect: "shared",
  needs: { opening },
  faults: [
    fault(
      "gives its instructions as a list",
      inOpening(["instructions"], ["Read a note first.", "Then answer."]),
      ALSO,
    ),
    fault(
      "gives its instructions as content",
      inOpening(["instructions"], { type: "text", text: "Read a note first." }),
      ALSO,
    ),
    fault("gives null for instructions", inOpening(["instructions"], null), ALSO),
  ],
  async run({ opening: { exchange, result } }) {
    const { instructions } = result;
    if (instructions === undefined) return skipped("the server gives no instructions");
    return typeof instructions === "string"
      ? pass(`a text of ${instructions.length} characters`, undefined, exchange)
      : fail("a string", kindOf(instructions), exchange);
  },
});
