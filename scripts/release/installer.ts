import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";
import type { Identity } from "./identity.ts";

/** install.sh as a release carries it: with its own version and the checksums of that version's files inside. */
export function installer({ version, repository }: Identity, checksums: string): string {
  return [
    [/^RELEASE_VERSION=''$/m, `RELEASE_VERSION='${version}'`],
    [/^RELEASE_CHECKSUMS=''$/m, `RELEASE_CHECKSUMS='${checksums}'`],
    [/^DEFAULT_BASE_URL='.*'$/m, `DEFAULT_BASE_URL='${repository}'`],
  ].reduce((text, [from, to]) => replaced(text, from as RegExp, to as string), readFileSync(SOURCE, "utf8"));
}

// --- internal ---

const SOURCE = join(ROOT, "install.sh");

function replaced(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`install.sh has no line that matches ${from}`);
  return text.replace(from, () => to);
}
