import { CAPS } from "./caps.ts";

/** One line without its newline, or what was left when the stream ended. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly tooLong: boolean;
  readonly unterminated: boolean;
}

/** Splits bytes at 0x0A and nowhere else (U+2028 is legal inside JSON), with a cap on the length of a line. */
export function createLineSplitter(cap: number = CAPS.message) {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (unterminated: boolean): Line => {
    const line = { bytes: Buffer.concat(parts), tooLong: size > cap, unterminated };
    parts = [];
    size = 0;
    return line;
  };
  const add = (part: Uint8Array) => {
    if (size <= cap) parts.push(part.subarray(0, cap + 1 - Math.min(size, cap)));
    size += part.byteLength;
  };
  return {
    feed(bytes: Uint8Array): readonly Line[] {
      const out: Line[] = [];
      let from = 0;
      for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
        add(bytes.subarray(from, to));
        out.push(take(false));
        from = to + 1;
      }
      if (from < bytes.byteLength) add(bytes.subarray(from));
      return out;
    },
    /** What is left without a newline, or undefined. */
    end: (): Line | undefined => (size > 0 ? take(true) : undefined),
  };
}
