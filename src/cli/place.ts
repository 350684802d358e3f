import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "./usage.ts";

/** Writes a file whole or not at all; its folders are made. */
export async function place(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${path} can't be written (${code}): choose another place, or mend its permissions.`);
  }
}
