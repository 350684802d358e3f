import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import type { Entry } from "./entry.ts";

/**
 * A .tar.gz (POSIX ustar) that depends on nothing but its contents: entries in the order of their paths, everything
 * owned by root, every time `time` (seconds since 1970), and no name, time or system in the gzip header.
 */
export async function tarGz(entries: readonly Entry[], time: number): Promise<Buffer> {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const tar = Buffer.concat([...sorted.flatMap((entry) => member(entry, time)), Buffer.alloc(2 * BLOCK)]);
  const deflated = await deflate(tar, { level: LEVEL });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tar), 0);
  trailer.writeUInt32LE(tar.length % 2 ** 32, 4);
  return Buffer.concat([GZIP_HEADER, deflated, trailer]);
}

// --- internal ---

/** Zlib's own default: 9 takes three times as long for half a percent. */
const LEVEL = 6;
const deflate = promisify<Buffer, { level: number }, Buffer>(deflateRaw);
const BLOCK = 512;
/** Deflate, no flags, no time, best compression, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);

function member({ path, bytes, runnable }: Entry, time: number): readonly Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  const [prefix, name] = split(path);
  header.write(name, 0, 100);
  header.write(octal(runnable ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(time, 12), 136);
  // The checksum is taken with its own field blank.
  header.write("        0", 148);
  header.write("ustar\x0000root", 257);
  header.write("root", 297);
  header.write(prefix, 345);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;

/** A name has 100 bytes, and 155 more for the folders before it. */
function split(path: string): readonly [prefix: string, name: string] {
  if (path.length <= 100) return ["", path];
  const slash = path.indexOf("/", path.length - 101);
  if (slash < 0 || slash > 155) throw new Error(`${path} is too long for an archive`);
  return [path.slice(0, slash), path.slice(slash + 1)];
}
