import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage.ts";

const MOST = 16 * 1024 * 1024;

/** The text of a file that the user named; `flag` says where. UTF-8, or UTF-16 where a byte order mark says so. */
export function readText(path: string, flag: string, cwd: string): string {
  const file = resolve(cwd, path);
  const name = JSON.stringify(path);
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw new UsageError(`${flag} ${name} is a folder: give a file.`);
    if (stat.size > MOST) throw new UsageError(`${flag} ${name} is larger than 16 MiB: it can't be the file you mean.`);
    return decoded(readFileSync(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new UsageError(`${flag} ${name} is no file in ${cwd}: check the path.`);
    }
    throw new UsageError(`${flag} ${name} can't be read (${code}).`);
  }
}

/** What a parser of ours reads from the text; its SyntaxError becomes the user's, with the file's name. */
export function parsed<T>(parse: (text: string) => T, text: string, file: string): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file}: ${error.message}.`);
    throw error;
  }
}

// --- internal ---

/** Editors and PowerShell put byte order marks before UTF-8 and UTF-16. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString("utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString("utf16le");
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}
