import type { Challenge } from "../model/diagnosis.ts";

/** The challenges in a header's value. What can't be read is left out. */
export function challengesIn(value: string): readonly Challenge[] {
  const found: { scheme: string; parameters: Record<string, string> }[] = [];
  const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  const piece = new RegExp(
    `(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))|(${token})(?:\\s+[A-Za-z0-9._~+/-]+=*(?=\\s*(?:,|$)))?`,
    "g",
  );
  for (const [, name, quoted, bare, scheme] of value.slice(0, LONGEST).matchAll(piece)) {
    if (scheme !== undefined) found.push({ scheme, parameters: {} });
    else if (name !== undefined) {
      const last = found.at(-1);
      // A name that is given twice keeps its first value, as clients read it.
      if (last !== undefined) last.parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "";
    }
  }
  return found;
}

// --- internal ---

const LONGEST = 8192;
