import { isObject } from "../model/json.ts";

/** The first thing on stdout that is no JSON-RPC message. */
export interface Stray {
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Its bytes up to the end of the line, capped. */
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Whether it stands before the first message. */
  readonly first: boolean;
}

/** Finds it in the first bytes of stdout; `complete`: they are all there were. */
export function strayIn(stdout: Uint8Array, complete: boolean): Stray | undefined {
  let first = true;
  let from = 0;
  while (from < stdout.length) {
    const newline = stdout.indexOf(10, from);
    const to = newline < 0 ? stdout.length : newline;
    const line = stdout.subarray(from, to);
    const text = Buffer.from(line).toString("utf8");
    // The rest of it was not kept, so nobody knows whether it is a message.
    if (newline < 0 && !complete && (from > 0 || text.startsWith("{"))) return undefined;
    if (text.trim() !== "" || line.includes(0)) {
      if (!isMessageLine(text)) {
        return {
          offset: from,
          bytes: stdout.subarray(from, Math.min(to + 1, from + MOST)),
          text: text.slice(0, MOST),
          first,
        };
      }
      first = false;
    }
    from = to + 1;
  }
  return undefined;
}

/** Bytes as `hexdump -C` shows them, 16 on a line. */
export function hexdump(bytes: Uint8Array, offset: number, most = 64): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, most); at += 16) {
    const part = [...bytes.subarray(at, Math.min(at + 16, most))];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const seen = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${(offset + at).toString(16).padStart(8, "0")}  ${hex.padEnd(47)}  |${seen}|`);
  }
  return lines.join("\n");
}

// --- internal ---

const MOST = 2000;

function isMessageLine(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) && json["jsonrpc"] !== undefined;
  } catch {
    return false;
  }
}
