import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";
import { isObject } from "../model/json.ts";
import { parseJsonc } from "../text/jsonc.ts";
import { complaintOf } from "./_config-complaint.ts";
import { type Config, ConfigSchema } from "./config-schema.ts";
import { parsed, readText } from "./read-text.ts";
import { UsageError } from "./usage.ts";

/** What a config file said. Paths in it are as seen from the current folder, like those of the command line. */
export interface Loaded {
  readonly config: Config;
  /** As the user would name it; undefined: there is no file. */
  readonly file?: string;
}

/** Where settings are looked for in the current folder, in this order: a file, or a field of package.json. */
export const CONFIG_PLACES: readonly (string | { readonly field: string })[] = [
  "mcp-assay.config.json",
  ".mcp-assayrc.json",
  ".mcp-assayrc",
  { field: "mcp-assay" },
  // The older tool's, for people who move over.
  "mcp-compliance.config.json",
  ".mcp-compliancerc.json",
  ".mcp-compliancerc",
  { field: "mcp-compliance" },
];

/** The file that `--config` names, else the first that is there; never two of them merged. */
export function loadConfig(given: string | undefined, cwd: string): Loaded {
  if (given !== undefined) return read(given, "--config", cwd);
  const fields = isFile(join(cwd, PACKAGE)) ? packageOf(cwd) : {};
  for (const place of CONFIG_PLACES) {
    if (typeof place === "string") {
      if (isFile(join(cwd, place))) return read(place, "The config file", cwd);
    } else if (fields[place.field] !== undefined) {
      const file = `${PACKAGE} ${JSON.stringify(place.field)}`;
      return { config: configOf(fields[place.field], file), file };
    }
  }
  return { config: {} };
}

/** Validates a config, or says what is wrong with which field. */
export function configOf(value: unknown, file: string): Config {
  if (!isObject(value)) throw new UsageError(`${file}: give an object of settings, such as { "timeout": 20000 }.`);
  const result = v.safeParse(ConfigSchema, value, { abortEarly: false });
  if (result.success) return result.output;
  throw new UsageError(result.issues.map((issue) => `${file}: ${complaintOf(issue)}`).join("\n"));
}

// --- internal ---

const PACKAGE = "package.json";

function read(name: string, flag: string, cwd: string): Loaded {
  const value = parsed(parseJsonc, readText(name, flag, cwd), name);
  if (basename(name) !== PACKAGE) return { config: configOf(value, name), file: name };
  const field = CONFIG_PLACES.flatMap((place) => (typeof place === "string" ? [] : [place.field])).find(
    (each) => isObject(value) && value[each] !== undefined,
  );
  if (field === undefined || !isObject(value)) {
    throw new UsageError(`${name} has no field "mcp-assay": put the settings there.`);
  }
  const file = `${name} ${JSON.stringify(field)}`;
  return { config: configOf(value[field], file), file };
}

/** A package.json that can't be read has no settings: nobody asked for it, and that it is broken is for others to say. */
function packageOf(cwd: string): { readonly [name: string]: unknown } {
  try {
    const value = parseJsonc(readFileSync(join(cwd, PACKAGE), "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
