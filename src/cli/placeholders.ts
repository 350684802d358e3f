import { basename, sep } from "node:path";
import type { Secret } from "../text/redact.ts";
import { UsageError } from "./usage.ts";

/** What `${…}` may stand for in a file. */
export interface Meanings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For `${workspaceFolder}`. */
  readonly workspace: string;
  /** What VS Code would ask for: by id, its description and its default. */
  readonly inputs?: ReadonlyMap<string, { readonly description?: string; readonly otherwise?: string }>;
  /** Whether `${NAME}` alone is a variable of the environment. */
  readonly bare: boolean;
}

/**
 * The text with its placeholders filled in. What came from the environment is told to `found`. A variable that isn't
 * set is the user's mistake; `where` names the field.
 */
export function filled(text: string, where: string, meanings: Meanings, found: (secret: Secret) => void): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole: string, inside: string) => {
    const [, kind, name = "", otherwise] = /^(?:(env|input):)?([^:]+?)(?::-(.*))?$/s.exec(inside) ?? [];
    if (kind === "input") return input(name, where, meanings, found);
    if (kind === "env" || (meanings.bare && /^[A-Za-z_]\w*$/.test(name) && !Object.hasOwn(FOLDERS, name))) {
      // On Windows the names of variables have no case; process.env knows that.
      const value = meanings.env[name] ?? otherwise;
      if (value === undefined) {
        throw new UsageError(`${where} wants ${whole}, and the variable ${name} is not set: set it, and run again.`);
      }
      found({ name, value });
      return value;
    }
    const folder = Object.hasOwn(FOLDERS, inside) ? FOLDERS[inside]?.(meanings) : undefined;
    if (folder !== undefined) return folder;
    // A shell's or a template's own: not for us.
    if (!meanings.bare) return whole;
    throw new UsageError(
      `${where} has ${whole}, which means nothing here: write \${env:NAME} for a variable of the environment.`,
    );
  });
}

// --- internal ---

const FOLDERS: Readonly<Record<string, (meanings: Meanings) => string | undefined>> = {
  workspaceFolder: ({ workspace }) => workspace,
  workspaceFolderBasename: ({ workspace }) => basename(workspace),
  userHome: ({ env }) => env["HOME"] ?? env["USERPROFILE"],
  pathSeparator: () => sep,
  "/": () => sep,
};

/** Nobody can be asked here, so the environment answers: `${input:api-key}` is API_KEY. */
function input(id: string, where: string, { env, inputs }: Meanings, found: (secret: Secret) => void): string {
  const variable = id.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase();
  const known = inputs?.get(id);
  const value = env[variable] ?? known?.otherwise;
  if (value === undefined) {
    const asked = known?.description === undefined ? "" : ` (${known.description})`;
    throw new UsageError(
      `${where} wants the input ${JSON.stringify(id)}${asked}, which the editor would ask for: set the variable ${variable}, and run again.`,
    );
  }
  found({ name: variable, value });
  return value;
}
