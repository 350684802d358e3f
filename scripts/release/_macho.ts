// The few structures of Mach-O that signing touches. Load commands are little-endian, signatures big-endian.

export interface Segment {
  /** Where its load command stands in the file. */
  readonly command: number;
  readonly fileOffset: number;
  readonly fileSize: number;
  /** The page size of the CPU, which sizes in memory are rounded up to. */
  readonly alignment: number;
}

export interface Signature {
  readonly command: number;
  readonly offset: number;
  readonly size: number;
}

export interface MachO {
  readonly text: Segment;
  readonly linkedit: Segment;
  readonly signature: Signature | undefined;
}

export interface CodeDirectory {
  readonly codeLimit: number;
  readonly pageSize: number;
  readonly slots: number;
  readonly flags: number;
  hash(page: number): Buffer;
}

/** Throws what makes this no executable that we could sign. */
export function parse(bytes: Uint8Array): MachO {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < HEADER || file.readUInt32LE(0) !== 0xfeedfacf) throw new Error("this is no 64-bit Mach-O file");
  const alignment = file.readUInt32LE(4) === ARM64 ? 0x4000 : 0x1000;
  const segments = new Map<string, Segment>();
  let signature: Signature | undefined;
  let at = HEADER;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const [kind, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
    if (size < 8 || at + size > file.length) throw new Error(`the load command at ${at} is ${size} bytes long`);
    if (kind === LC_SEGMENT_64) {
      const name = file.toString("latin1", at + 8, at + 24).replace(/\0.*$/, "");
      const [fileOffset, fileSize] = [Number(file.readBigUInt64LE(at + 40)), Number(file.readBigUInt64LE(at + 48))];
      segments.set(name, { command: at, fileOffset, fileSize, alignment });
    }
    if (kind === LC_CODE_SIGNATURE)
      signature = { command: at, offset: file.readUInt32LE(at + 8), size: file.readUInt32LE(at + 12) };
    at += size;
  }
  const [text, linkedit] = [segments.get("__TEXT"), segments.get("__LINKEDIT")];
  if (text === undefined || linkedit === undefined) throw new Error("__TEXT or __LINKEDIT is missing");
  return { text, linkedit, signature };
}

/** The directory with SHA-256, wherever in the super blob it stands. */
export function codeDirectory(bytes: Uint8Array, signature: Signature): CodeDirectory | undefined {
  const blob = Buffer.from(bytes.buffer, bytes.byteOffset + signature.offset, signature.size);
  if (blob.length < 12 || blob.readUInt32BE(0) !== 0xfade0cc0) return undefined;
  for (let entry = 0; entry < blob.readUInt32BE(8); entry++) {
    const start = blob.readUInt32BE(12 + 8 * entry + 4);
    if (start + 44 > blob.length || blob.readUInt32BE(start) !== 0xfade0c02 || blob[start + 37] !== SHA256) continue;
    const hashes = start + blob.readUInt32BE(start + 16);
    return {
      flags: blob.readUInt32BE(start + 12),
      slots: blob.readUInt32BE(start + 28),
      codeLimit: blob.readUInt32BE(start + 32),
      pageSize: 2 ** (blob[start + 39] ?? 0),
      hash: (page) => blob.subarray(hashes + 32 * page, hashes + 32 * page + 32),
    };
  }
  return undefined;
}

// --- internal ---

const HEADER = 32;
const ARM64 = 0x0100000c;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SHA256 = 2;
