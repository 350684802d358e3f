import type { Times } from "../engine/context.ts";
import { REVISIONS, type RevisionId } from "../model/catalog.ts";
import { connectionOptions } from "./connection.ts";
import type { Option, Split } from "./split.ts";
import { nearest, UsageError } from "./usage.ts";
import { last, list } from "./verb.ts";

export const GRADES = ["A", "B", "C", "D", "F"] as const;
export const FORMATS = ["terminal", "json"] as const;
export type Format = (typeof FORMATS)[number];

export const testOptions: readonly Option[] = [
  {
    name: "spec-version",
    value: "<revision>",
    about: `the revision to judge by: auto (default), ${REVISIONS.join(" or ")}`,
  },
  { name: "only", value: "<items>", many: true, about: "only these areas or check ids, comma-separated" },
  { name: "skip", value: "<items>", many: true, about: "leave out these areas or check ids; wins over --only" },
  { name: "list", about: "print the ids that would run, and stop; nothing is contacted" },
  {
    name: "transport",
    value: "<kind>",
    about: "sse: speak HTTP+SSE of 2024-11-05 to a URL; with --list: http or stdio",
  },
  { name: "format", value: "<format>", about: "terminal (default) or json, on stdout" },
  { name: "strict", about: "exit with 1 if a required check failed or was blocked" },
  { name: "min-grade", value: "<grade>", about: "exit with 1 if the grade is below A, B, C, D or F" },
  { name: "header", short: "H", value: '"Name: value"', many: true, about: "a header for every request (HTTP)" },
  { name: "auth", value: "<value>", about: "the Authorization header (HTTP)" },
  { name: "env", short: "E", value: "NAME=VALUE", many: true, about: "a variable for the server's process (stdio)" },
  { name: "cwd", value: "<folder>", about: "the folder that the server's process starts in (stdio)" },
  ...connectionOptions,
  { name: "timeout", value: "<ms>", about: "how long each request may take (default 15000)" },
  {
    name: "startup-timeout",
    value: "<ms>",
    about: "how long the first answer may take (default 60000, or --timeout if more)",
  },
  {
    name: "preflight-timeout",
    value: "<ms>",
    about: "how long the first server/discover may take (HTTP; default 10000, or --timeout if less)",
  },
  { name: "concurrency", value: "<n>", about: "how many checks may be in flight at once (default 1)" },
  { name: "allow-destructive", about: "also call tools that are annotated as destructive" },
  { name: "verbose", about: "a line per check on stderr, and the server's own stderr" },
  { name: "no-color", about: "no colours (so does NO_COLOR)" },
];

export interface TestSettings {
  readonly specVersion: "auto" | RevisionId;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly format: Format;
  readonly minGrade: (typeof GRADES)[number] | undefined;
  readonly times: Times;
  readonly concurrency: number;
  /** Whether tools annotated as destructive may be called. */
  readonly allowDestructive: boolean;
}

export function testSettings(split: Split): TestSettings {
  const timeout = whole(split, "timeout", 15_000);
  const minGrade = choice(split, "min-grade", GRADES, (value) => value.toUpperCase());
  return {
    specVersion: choice(split, "spec-version", ["auto", ...REVISIONS]) ?? "auto",
    only: list(split, "only"),
    skip: list(split, "skip"),
    format: choice(split, "format", FORMATS) ?? "terminal",
    minGrade,
    times: {
      request: timeout,
      startup: whole(split, "startup-timeout", Math.max(timeout, 60_000)),
      preflight: whole(split, "preflight-timeout", Math.min(timeout, 10_000)),
      quiet: 1000,
      grace: 2000,
    },
    concurrency: whole(split, "concurrency", 1),
    allowDestructive: split.switches.has("allow-destructive"),
  };
}

/** The value of an option that must be one of a few words. */
export function choice<const T extends string>(
  split: Split,
  name: string,
  words: readonly T[],
  normal: (value: string) => string = (value) => value,
): T | undefined {
  const value = last(split, name);
  if (value === undefined) return undefined;
  const found = words.find((word) => word === normal(value));
  if (found !== undefined) return found;
  const meant = nearest(value, words);
  throw new UsageError(
    `--${name} ${JSON.stringify(value)} is none of ${words.join(", ")}${meant === undefined ? "" : `: did you mean ${meant}?`}`,
  );
}

// --- internal ---

function whole(split: Split, name: string, otherwise: number): number {
  const value = last(split, name);
  if (value === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1) {
    throw new UsageError(
      `--${name} ${JSON.stringify(value)} is no whole number above 0: write it as --${name} ${otherwise}.`,
    );
  }
  return Number(value);
}
