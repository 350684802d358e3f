import { expect, test } from "bun:test";
import { codeDirectory, parse } from "./_macho.ts";
import { defects, signAdHoc } from "./macho.ts";

const LINKEDIT = 0x5000;
const ROOM = 0x800;

test("a fresh signature is sound, whatever stood there before", () => {
  for (const made of [image(0x5123), image(0x6000), image(0x5000, Buffer.alloc(16))]) {
    expect(defects(made)).not.toEqual([]);
    expect(defects(signAdHoc(made, "mcp-assay"))).toEqual([]);
  }
});

test("signing says what it must: ad hoc, by a linker, over everything before the signature", () => {
  const signed = signAdHoc(image(0x5123), "mcp-assay");
  const { signature, linkedit } = parse(signed);
  if (signature === undefined) throw new Error("unsigned");
  expect(codeDirectory(signed, signature)).toMatchObject({
    flags: 0x20002,
    codeLimit: 0x5123,
    slots: 6,
    pageSize: 4096,
  });
  expect(signed.readBigUInt64LE(linkedit.command + 32)).toBe(0x1000n);
  expect(signed.includes("mcp-assay\0")).toBe(true);
  expect(signAdHoc(signed, "mcp-assay").equals(signed)).toBe(true);
});

test("what macOS would kill is found", () => {
  const signed = signAdHoc(image(0x5123), "x");
  const patched = Buffer.from(signed);
  patched[0x3000] = 1;
  expect(defects(patched)).toEqual(["1 of 6 pages do not match their hash"]);
  expect(defects(Buffer.concat([signed, Buffer.alloc(16)]))).toEqual([
    `the signature ends at ${signed.length}, the file at ${signed.length + 16}`,
    `__LINKEDIT ends at ${signed.length}, the file at ${signed.length + 16}`,
  ]);
  // A payload put between what was signed and the signature, as Bun 1.4.5 does on macOS x64.
  const grown = Buffer.concat([signed.subarray(0, 0x5123), Buffer.alloc(0x2000), signed.subarray(0x5123)]);
  grown.writeUInt32LE(0x5123 + 0x2000, (parse(signed).signature?.command ?? 0) + 8);
  expect(defects(grown).length).toBeGreaterThan(0);
});

test("what is no executable is refused", () => {
  expect(() => parse(Buffer.from("\x7fELF"))).toThrow("no 64-bit Mach-O");
  const looped = image(0x5123);
  looped.writeUInt32LE(0, 36);
  expect(() => parse(looped)).toThrow("0 bytes long");
});

// --- internal ---

/** A small executable for x86-64 whose signature lies at `offset`. */
function image(offset: number, signature: Buffer = Buffer.alloc(ROOM)): Buffer {
  const file = Buffer.alloc(offset + signature.length);
  for (let i = 0x1000; i < offset; i++) file[i] = i % 251;
  [0xfeedfacf, 0x01000007, 3, 2, 3, 72 + 72 + 16].forEach((word, i) => {
    file.writeUInt32LE(word, 4 * i);
  });
  segment(file, 32, "__TEXT", 0, 0x4000);
  segment(file, 104, "__LINKEDIT", LINKEDIT, offset + signature.length - LINKEDIT);
  [0x1d, 16, offset, signature.length].forEach((word, i) => {
    file.writeUInt32LE(word, 176 + 4 * i);
  });
  signature.copy(file, offset);
  return file;
}

function segment(file: Buffer, at: number, name: string, offset: number, size: number): void {
  file.writeUInt32LE(0x19, at);
  file.writeUInt32LE(72, at + 4);
  file.write(name, at + 8, "latin1");
  file.writeBigUInt64LE(BigInt(size), at + 32);
  file.writeBigUInt64LE(BigInt(offset), at + 40);
  file.writeBigUInt64LE(BigInt(size), at + 48);
}
