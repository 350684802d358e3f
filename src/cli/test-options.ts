import { REVISIONS } from "../model/catalog.ts";
import { outputOptions } from "./output-options.ts";
import type { Option } from "./split.ts";
import {
  httpOptions,
  PACE,
  PROCESS,
  patienceOptions,
  processOptions,
  screenOptions,
  sourceOptions,
} from "./target-options.ts";

export const GRADES = ["A", "B", "C", "D", "F"] as const;
export const SPEC_VERSIONS = ["auto", ...REVISIONS] as const;

const JUDGED = "What is tested";
const CODE = "Exit code";

/**
 * The options of `test`. Help, the README's table, shell completion and the config file's descriptions are made of
 * these rows or compared with them by a test.
 */
export const testOptions: readonly Option[] = [
  ...sourceOptions,
  {
    name: "spec-version",
    value: "<revision>",
    group: JUDGED,
    field: "specVersion",
    words: SPEC_VERSIONS,
    about: "the revision to judge by: auto asks the server",
    otherwise: "auto",
  },
  {
    name: "only",
    value: "<items>",
    many: true,
    group: JUDGED,
    field: "only",
    words: "ids",
    about: "only these areas or check ids, comma-separated",
  },
  {
    name: "skip",
    value: "<items>",
    many: true,
    group: JUDGED,
    field: "skip",
    words: "ids",
    about: "leave out these areas or check ids; wins over --only",
  },
  { name: "list", group: JUDGED, about: "print the ids that would run, and stop; nothing is contacted" },
  { name: "allow-destructive", group: JUDGED, about: "also call tools that are annotated as destructive" },
  ...httpOptions,
  ...processOptions,
  {
    name: "watch",
    group: PROCESS,
    scope: "stdio",
    about:
      "run again whenever files in the current folder change, until Ctrl-C; prints first what changed in the results",
  },
  ...patienceOptions,
  {
    name: "retries",
    value: "<n>",
    group: PACE,
    field: "retries",
    about: "ask again, up to n times, what failed or could not be judged",
    otherwise: "0",
  },
  {
    name: "concurrency",
    value: "<n>",
    group: PACE,
    field: "concurrency",
    about: "how many checks may be in flight at once",
    otherwise: "1",
  },
  { name: "strict", group: CODE, field: "strict", about: "exit with 1 if a required check failed or was blocked" },
  {
    name: "min-grade",
    value: "<grade>",
    group: CODE,
    field: "minGrade",
    words: GRADES,
    about: "exit with 1 if the grade is below this one",
  },
  {
    name: "expected-failures",
    value: "<file>",
    group: CODE,
    field: "expectedFailures",
    words: "file",
    about: "exit with 1 for failures that this file does not accept, and for entries of it that are stale",
  },
  ...outputOptions,
  ...screenOptions,
];
