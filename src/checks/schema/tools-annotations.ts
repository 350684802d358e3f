import { lists } from "../../facts/lists.ts";
import type { Draft } from "../../model/bendable.ts";
import { defineCheck } from "../../model/define.ts";
import { isObject, kindOf } from "../../model/json.ts";
import { type Complaint, skipped } from "../../model/outcome.ts";
import { misshapen } from "../_misshapen.ts";
import { bendItem, called, eachListed } from "./_listed.ts";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** A server whose last tool has these annotations. */
const annotated = (annotations: unknown) =>
  bendItem("tools", "clear_notes", (tool) => {
    tool["annotations"] = annotations;
  });
const hinting = (hints: Draft) => annotated({ destructiveHint: true, ...hints });

export default defineCheck({
  id: "tools-annotations",
  title: "The annotations of a tool are true, false or, for the title, a text",
  why: 'Clients ask users for consent by these hints; "false" in quotation marks is neither true nor false, and strict ones drop the tool.',
  fix: "Write the four hints as JSON booleans and annotations.title as a string, and leave out what you don't know.",
  snippet: ['"annotations": { "title": "Search notes", "readOnlyHint": true, "openWorldHint": false }'],
  effect: "shared",
  needs: { list: lists.tools },
  faults: [
    misshapen("gives readOnlyHint as a text", hinting({ readOnlyHint: "false" })),
    misshapen("gives destructiveHint as a text", hinting({ destructiveHint: "true" })),
    misshapen("gives idempotentHint as a text", hinting({ idempotentHint: "yes" })),
    misshapen("gives openWorldHint as a text", hinting({ openWorldHint: "false" })),
    misshapen("gives a hint as a number", hinting({ idempotentHint: 1 })),
    misshapen("gives null for a hint it does not know", hinting({ openWorldHint: null })),
    misshapen("titles a tool's annotations by an object", hinting({ title: { en: "Clear" } })),
    misshapen("gives null for the title in a tool's annotations", hinting({ title: null })),
    misshapen("annotates a tool with an array", annotated(["destructive"])),
    misshapen("annotates a tool with null", annotated(null)),
  ],
  async run({ list }) {
    const found = list.items.filter((tool) => isObject(tool) && "annotations" in tool);
    if (found.length === 0) return skipped("no tool is annotated");
    return eachListed("annotated tools", list, found, complaint);
  },
});

// --- internal ---

function complaint(tool: unknown, index: number): Complaint {
  const annotations = isObject(tool) ? tool["annotations"] : undefined;
  const who = called("tool", tool, index);
  if (!isObject(annotations)) return ["an annotations object", `${kindOf(annotations)} for ${who}`];
  const odd = HINTS.find((hint) => hint in annotations && typeof annotations[hint] !== "boolean");
  if (odd !== undefined) return [`true or false for ${odd}`, `${kindOf(annotations[odd])} for ${who}`];
  return "title" in annotations && typeof annotations["title"] !== "string"
    ? ["a string for annotations.title", `${kindOf(annotations["title"])} for ${who}`]
    : undefined;
}
