import { isObject, kindOf } from "../../model/json.ts";

/** What keeps a result from being empty, or undefined where nothing does; `_meta` may always be there. */
export function payload(result: unknown): string | undefined {
  if (!isObject(result)) return kindOf(result);
  const members = Object.keys(result).filter((key) => key !== "_meta");
  if (members.length === 0) return undefined;
  const others = members.length > 3 ? ` and ${members.length - 3} more` : "";
  return `a result with ${members
    .slice(0, 3)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(", ")}${others}`;
}
