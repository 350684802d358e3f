import type { List } from "../../facts/lists.ts";
import { at } from "../../model/json.ts";

/** The URIs that are listed, in their order. */
export const urisOf = ({ items }: List): readonly string[] =>
  items.flatMap((item) => {
    const uri = at(item, "uri");
    return typeof uri === "string" ? [uri] : [];
  });
