import { isObject } from "../model/json.ts";

/** Thrown where a schema or a value can't be judged, which is nobody's mistake. */
export class Unjudged extends Error {
  override name = "Unjudged";
}

/** How large a JSON value is. `size` counts about the characters of its text. */
export interface Extent {
  readonly nodes: number;
  readonly size: number;
  readonly depth: number;
  /** Whether it has a member `uniqueItems`, which compares every item with every other. */
  readonly unique: boolean;
}

/** Measures without recursion, and stops as soon as a limit is passed: a hostile value costs no more than a large one. */
export function extent(value: unknown, most: { readonly size: number; readonly depth: number }): Extent {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let [nodes, size, depth, unique] = [0, 0, 0, false];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes += 1;
    depth = Math.max(depth, next.depth);
    size += typeof next.value === "string" ? next.value.length + 3 : 2;
    if (size > most.size || depth > most.depth) break;
    if (Array.isArray(next.value)) {
      size += next.value.length;
      if (size > most.size) break;
      for (const item of next.value) open.push({ value: item, depth: next.depth + 1 });
    } else if (isObject(next.value)) {
      for (const [key, member] of Object.entries(next.value)) {
        size += key.length + 4;
        unique ||= key === "uniqueItems";
        open.push({ value: member, depth: next.depth + 1 });
      }
    }
  }
  return { nodes, size, depth, unique };
}
