import { lists } from "../../facts/lists.ts";
import { defineCheck } from "../../model/define.ts";
import { isObject, kindOf } from "../../model/json.ts";
import { skipped } from "../../model/outcome.ts";
import { misshapen } from "../_misshapen.ts";
import { bendItem, called, eachListed } from "./_listed.ts";

const titled = (title: unknown) =>
  bendItem("tools", "clear_notes", (tool) => {
    tool["title"] = title;
  });

export default defineCheck({
  id: "tools-title-field",
  title: "The title of a tool is a string",
  why: "Clients show the title in place of the name; anything but a string breaks their list of tools.",
  fix: "Give title as a string, or leave it out.",
  snippet: ['{ "name": "search", "title": "Search notes", "inputSchema": { "type": "object" } }'],
  effect: "shared",
  needs: { list: lists.tools },
  faults: [
    misshapen("gives null for the title of a tool", titled(null)),
    misshapen("gives a number for the title of a tool", titled(7)),
    misshapen("gives the title of a tool by language", titled({ en: "Clear the notes" })),
  ],
  async run({ list }) {
    const found = list.items.filter((tool) => isObject(tool) && "title" in tool);
    if (found.length === 0) return skipped("no tool has a title, which is optional");
    return eachListed("titled tools", list, found, (tool, index) => {
      const title = isObject(tool) ? tool["title"] : undefined;
      return typeof title === "string"
        ? undefined
        : ["a string for title", `${kindOf(title)} for ${called("tool", tool, index)}`];
    });
  },
});
