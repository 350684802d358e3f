import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** One file of an archive. Folders are not written: every unpacker makes them. */
export interface Entry {
  /** With slashes, below the archive's one folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly runnable: boolean;
}

/** A file, or all files below a folder, as entries below `path`, in the order of their names. */
export function entries(path: string, from: string): readonly Entry[] {
  const info = statSync(from);
  if (!info.isDirectory()) return [{ path, bytes: readFileSync(from), runnable: (info.mode & 0o100) !== 0 }];
  return readdirSync(from)
    .sort()
    .flatMap((name) => entries(`${path}/${name}`, join(from, name)));
}

export const textEntry = (path: string, text: string): Entry => ({ path, bytes: Buffer.from(text), runnable: false });
