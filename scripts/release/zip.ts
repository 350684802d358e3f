import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import type { Entry } from "./entry.ts";

/** A .zip that depends on nothing but its contents: entries in the order of their paths, every time `time` in UTC. */
export async function zip(entries: readonly Entry[], time: number): Promise<Buffer> {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const [parts, directory]: [Uint8Array[], Buffer[]] = [[], []];
  let offset = 0;
  for (const entry of sorted) {
    const name = Buffer.from(entry.path);
    const packed = await deflate(entry.bytes, { level: LEVEL });
    const shared = sharedFields(entry, packed.length, name.length, time);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, name]);
    parts.push(local, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.runnable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made on Unix, so that the modes count.
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), shared, rest, name]));
    offset += local.length + packed.length;
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(sorted.length, 8);
  end.writeUInt16LE(sorted.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

// --- internal ---

/** Zlib's own default: 9 takes three times as long for half a percent. */
const LEVEL = 6;
const deflate = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw);

/** What the local header and the directory say alike: version needed to the length of the extra field. */
function sharedFields({ bytes }: Entry, packed: number, name: number, time: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  // Names are UTF-8.
  fields.writeUInt16LE(0x800, 2);
  fields.writeUInt16LE(8, 4);
  const at = new Date(time * 1000);
  fields.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
  fields.writeUInt16LE(((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name, 22);
  return fields;
}
