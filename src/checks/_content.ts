import { at } from "../model/json.ts";
import type { Complaint } from "../model/outcome.ts";
import { block } from "../schema/shapes-content.ts";

/** The types of content that each revision knows, the newest first. */
const TYPES: readonly (readonly [since: string, types: readonly string[]])[] = [
  ["2025-06-18", ["text", "image", "audio", "resource_link", "resource"]],
  ["2025-03-26", ["text", "image", "audio", "resource"]],
  ["", ["text", "image", "resource"]],
];

/** What is wrong with one content block, in a session of the negotiated revision. */
export function contentComplaint(content: unknown, negotiated: string): Complaint {
  const types = TYPES.find(([since]) => negotiated >= since)?.[1] ?? [];
  const found = block(content, "");
  if (found !== undefined) return [`${found.expected}${placed(found.path)}`, found.actual];
  const type = String(at(content, "type"));
  return types.includes(type) ? undefined : [`a type that ${negotiated} knows`, JSON.stringify(type)];
}

const placed = (path: string): string => (path === "" ? " for a content block" : ` at ${path} of a content block`);
