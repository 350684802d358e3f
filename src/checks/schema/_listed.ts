import type { List, Page } from "../../facts/lists.ts";
import type { Bendable, Draft } from "../../model/bendable.ts";
import { isObject } from "../../model/json.ts";
import { type Complaint, each, type Outcome } from "../../model/outcome.ts";
import type { Shape } from "../../schema/shape.ts";
import { cap } from "../../text/escape.ts";

/** Judges every item of all pages; the page with the first bad one is cited. */
export function eachListed<T>(
  noun: string,
  list: List,
  items: readonly T[],
  complaint: (item: T, index: number) => Complaint,
): Outcome {
  const found = items.map(complaint);
  const first = found.findIndex((one) => one !== undefined);
  const { pages } = list.walk;
  const page = first < 0 ? undefined : pages.find((each) => holds(each, items[first]));
  return each(noun, items, (_, index) => found[index], [(page ?? pages[0])?.exchange]);
}

/**
 * What the wire shape of an item says of the members that its row doesn't judge, for a note.
 * Revisions before 2025-11-25 lack some of these members, so they say nothing there.
 */
export function besides(noun: string, shape: Shape, judged: Draft, negotiated: string) {
  return (item: unknown, index: number): readonly string[] => {
    if (!isObject(item) || negotiated < "2025-11-25") return [];
    const found = shape({ ...item, ...judged }, "");
    if (found === undefined) return [];
    return [`${found.path} of ${called(noun, item, index)} is ${found.actual}, not ${found.expected}`];
  };
}

/** What an item is called in a complaint: by its name where it has one, else by its place. */
export function called(noun: string, item: unknown, index: number, key = "name"): string {
  const name = isObject(item) ? item[key] : undefined;
  return typeof name === "string" && name !== "" ? `${noun} ${JSON.stringify(cap(name, 60))}` : `${noun} ${index + 1}`;
}

/** A bend that edits one item of a list, whatever page it stands on. */
export const bendItem =
  (noun: "tools" | "resources" | "prompts", name: string, how: (item: Draft) => unknown) =>
  (server: Bendable): void =>
    server.edit(`${noun}/list`, (result) => {
      const items: readonly unknown[] = Array.isArray(result[noun]) ? result[noun] : [];
      for (const item of items) if (isDraft(item) && item["name"] === name) how(item);
    });

// --- internal ---

const holds = ({ items }: Page, item: unknown): boolean => Array.isArray(items) && items.includes(item);
const isDraft = (value: unknown): value is Draft => isObject(value);
