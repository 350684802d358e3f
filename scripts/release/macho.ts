// Code signatures of 64-bit Mach-O executables: whether the kernel would accept one, and how to make a fresh one.
import { createHash } from "node:crypto";
import { type CodeDirectory, codeDirectory, type MachO, parse } from "./_macho.ts";

/**
 * What is wrong with the signature of a Mach-O executable; empty for a sound one. Looks at what macOS looks at when it
 * maps a page: that the signature covers the file up to itself, ends it, and holds the right hash of every page.
 */
export function defects(file: Uint8Array): readonly string[] {
  const image = parse(file);
  const { signature, linkedit } = image;
  if (signature === undefined) return ["there is no signature"];
  const found: string[] = [];
  if (signature.offset + signature.size !== file.length)
    found.push(`the signature ends at ${signature.offset + signature.size}, the file at ${file.length}`);
  if (linkedit.fileOffset + linkedit.fileSize !== file.length)
    found.push(`__LINKEDIT ends at ${linkedit.fileOffset + linkedit.fileSize}, the file at ${file.length}`);
  const directory = codeDirectory(file, signature);
  if (directory === undefined) return [...found, "the signature has no code directory with SHA-256"];
  if (directory.codeLimit !== signature.offset)
    found.push(`the signature covers ${directory.codeLimit} bytes, and ${signature.offset} lie before it`);
  const pages = Math.ceil(directory.codeLimit / directory.pageSize);
  if (directory.slots !== pages) found.push(`there are ${directory.slots} hashes for ${pages} pages`);
  const bad = badPages(file, directory);
  if (bad > 0) found.push(`${bad} of ${directory.slots} pages do not match their hash`);
  return found;
}

/**
 * The executable with an ad-hoc signature in place of the one it has: what `codesign --sign -` makes, without a Mac.
 * Enough for programs that are downloaded by a tool; a browser's download is asked about by Gatekeeper.
 */
export function signAdHoc(file: Uint8Array, identifier: string): Buffer {
  const image = parse(file);
  const { signature } = image;
  if (signature === undefined) throw new Error("there is no signature to replace");
  const name = Buffer.from(`${identifier}\0`);
  const pages = Math.ceil(signature.offset / PAGE);
  const length = BLOB + DIRECTORY + name.length + pages * HASH;
  const size = Math.ceil(length / 16) * 16;
  const out = Buffer.alloc(signature.offset + size);
  out.set(file.subarray(0, signature.offset));
  resize(out, image, size);
  writeSignature(out, signature.offset, name, pages, image);
  return out;
}

// --- internal ---

const PAGE = 4096;
const HASH = 32;
/** A super blob with one entry. */
const BLOB = 20;
/** A code directory of version 0x20400. */
const DIRECTORY = 88;
/** Ad hoc, and made by a linker: no requirements and no certificates belong to it. */
const FLAGS = 0x20002;

function badPages(file: Uint8Array, directory: CodeDirectory): number {
  let bad = 0;
  for (let page = 0; page < directory.slots; page++) {
    const start = page * directory.pageSize;
    const bytes = file.subarray(start, Math.min(start + directory.pageSize, directory.codeLimit));
    if (!directory.hash(page).equals(sha256(bytes))) bad++;
  }
  return bad;
}

/** Load commands lie in the first pages, which are hashed: they must be right before the hashes are taken. */
function resize(out: Buffer, { signature, linkedit }: MachO, size: number): void {
  if (signature === undefined) return;
  out.writeUInt32LE(size, signature.command + 12);
  const fileSize = signature.offset + size - linkedit.fileOffset;
  out.writeBigUInt64LE(BigInt(Math.ceil(fileSize / linkedit.alignment) * linkedit.alignment), linkedit.command + 32);
  out.writeBigUInt64LE(BigInt(fileSize), linkedit.command + 48);
}

function writeSignature(out: Buffer, at: number, name: Buffer, pages: number, { text }: MachO): void {
  const start = at + BLOB;
  const length = DIRECTORY + name.length + pages * HASH;
  [0xfade0cc0, BLOB + length, 1, 0, BLOB].forEach((word, i) => {
    out.writeUInt32BE(word, at + 4 * i);
  });
  const words = [0xfade0c02, length, 0x20400, FLAGS, DIRECTORY + name.length, DIRECTORY, 0, pages, at];
  words.forEach((word, i) => {
    out.writeUInt32BE(word, start + 4 * i);
  });
  // Size and kind (SHA-256) of a hash, no platform, pages of 2^12 bytes.
  out.set([HASH, 2, 0, 12], start + 36);
  out.writeBigUInt64BE(BigInt(text.fileOffset), start + 64);
  out.writeBigUInt64BE(BigInt(text.fileSize), start + 72);
  // The main binary of a process.
  out.writeBigUInt64BE(1n, start + 80);
  out.set(name, start + DIRECTORY);
  for (let page = 0; page < pages; page++) {
    const from = page * PAGE;
    out.set(sha256(out.subarray(from, Math.min(from + PAGE, at))), start + DIRECTORY + name.length + page * HASH);
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
