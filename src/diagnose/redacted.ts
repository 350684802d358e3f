import type { Redact } from "../text/redact.ts";
import type { Evidence } from "./evidence.ts";

/**
 * The evidence with secrets taken out of every text, and of bytes that would be shown as such. Here and not only on
 * the way out: headlines cut what they quote, and nobody would know half a secret again.
 */
export const withoutSecrets = (evidence: Evidence, redact: Redact): Evidence =>
  cleaned(evidence, redact, 0) as Evidence;

// --- internal ---

/** A server may nest its JSON so deeply that whoever walks through it runs out of stack; nothing is read down there. */
const DEEPEST = 60;

function cleaned(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (value instanceof Uint8Array) return cleanedBytes(value, redact);
  if (value instanceof URL || typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((each) => cleaned(each, redact, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each, redact, depth + 1)]));
}

function cleanedBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  // One character a byte, so that bytes which are no text stay what they are.
  for (const encoding of ["latin1", "utf8"] as const) {
    const text = Buffer.from(bytes).toString(encoding);
    const clean = redact(text);
    if (clean !== text) return cleanedBytes(Buffer.from(clean, encoding), redact);
  }
  return bytes;
}
