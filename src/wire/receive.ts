import type { Received } from "../model/exchange.ts";
import { isObject } from "../model/json.ts";
import { CAPS } from "./caps.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes as text, and whether they are valid UTF-8. A byte order mark is kept. */
export function decode(bytes: Uint8Array): { readonly text: string; readonly valid: boolean } {
  try {
    return { text: strict.decode(bytes), valid: true };
  } catch {
    return { text: lenient.decode(bytes), valid: false };
  }
}

/** What one piece of server text is: a message, other JSON, or neither. */
export function receive(
  text: string,
  rest: Pick<Received, "from" | "at" | "event"> & { readonly valid?: boolean; readonly unterminated?: boolean },
): Received {
  const { valid = true, unterminated = false, ...where } = rest;
  const kept = text.length > CAPS.text ? text.slice(0, CAPS.text) : text;
  if (!valid) return { ...where, text: kept, problem: "invalid-utf8", ...parse(text) };
  const parsed = parse(text);
  if (unterminated) return { ...where, text: kept, problem: "unterminated", ...parsed };
  if ("message" in parsed) return { ...where, text: kept, ...parsed };
  return { ...where, text: kept, problem: "json" in parsed ? "not-an-object" : "not-json", ...parsed };
}

// --- internal ---

function parse(text: string): Pick<Received, "message" | "json"> {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? { message: json } : { json };
  } catch {
    return {};
  }
}
