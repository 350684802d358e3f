import { REVISIONS } from "../model/catalog.ts";
import { connectionOptions } from "./connection.ts";
import { OUTPUT, outputOptions } from "./output-options.ts";
import type { Option } from "./split.ts";

export const GRADES = ["A", "B", "C", "D", "F"] as const;
export const SPEC_VERSIONS = ["auto", ...REVISIONS] as const;
export const TRANSPORTS = ["http", "stdio", "sse"] as const;

const JUDGED = "What is tested";
const SERVER = "Which server";
const HTTP = "Servers behind a URL";
const PROCESS = "Servers that are started";
const PACE = "Patience and pace";
const CODE = "Exit code";

/**
 * The options of `test`. Help, the README's table, shell completion and the config file's descriptions are made of
 * these rows or compared with them by a test.
 */
export const testOptions: readonly Option[] = [
  {
    name: "config",
    value: "<file>",
    group: SERVER,
    words: "file",
    about: "take settings that the command line leaves open from this file",
    otherwise: "mcp-assay.config.json",
  },
  {
    name: "mcp-json",
    value: "<file>",
    group: SERVER,
    words: "file",
    about: "test a server of an MCP client's configuration (Claude, Cursor, VS Code, Windsurf)",
  },
  { name: "server", value: "<name>", group: SERVER, about: "which server of the --mcp-json file" },
  {
    name: "transport",
    value: "<kind>",
    group: SERVER,
    words: TRANSPORTS,
    about: "insist on http, stdio or sse (HTTP+SSE of 2024-11-05); with --list: only the checks of http or stdio",
  },
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
  {
    name: "header",
    short: "H",
    value: '"Name: value"',
    many: true,
    group: HTTP,
    scope: "http",
    field: "target.headers",
    about: "a header for every request",
  },
  { name: "auth", value: "<value>", group: HTTP, scope: "http", about: "the Authorization header" },
  {
    name: "header-env",
    value: "NAME=VAR",
    many: true,
    group: HTTP,
    scope: "http",
    about: "a header whose whole value is in the environment variable VAR",
  },
  {
    name: "auth-env",
    value: "<var>",
    group: HTTP,
    scope: "http",
    about: "the Authorization header is in this environment variable",
  },
  {
    name: "header-file",
    value: "<file>",
    group: HTTP,
    scope: "http",
    words: "file",
    about: 'headers from a file, a "Name: value" on each line',
  },
  ...connectionOptions,
  {
    name: "env",
    short: "E",
    value: "NAME=VALUE",
    many: true,
    group: PROCESS,
    scope: "stdio",
    field: "target.env",
    about: "a variable for the server's process",
  },
  {
    name: "env-file",
    value: "<file>",
    group: PROCESS,
    scope: "stdio",
    words: "file",
    about: "variables for the server's process from a dotenv file",
  },
  {
    name: "inherit-env",
    group: PROCESS,
    scope: "stdio",
    about: "the server's process gets all of our environment, in place of a minimal one",
  },
  {
    name: "cwd",
    value: "<folder>",
    group: PROCESS,
    scope: "stdio",
    field: "target.cwd",
    words: "folder",
    about: "the folder that the server's process starts in",
    otherwise: "the current folder",
  },
  {
    name: "watch",
    group: PROCESS,
    scope: "stdio",
    about:
      "run again whenever files in the current folder change, until Ctrl-C; prints first what changed in the results",
  },
  {
    name: "timeout",
    value: "<ms>",
    group: PACE,
    field: "timeout",
    about: "how long each request may take",
    otherwise: "15000",
  },
  {
    name: "startup-timeout",
    value: "<ms>",
    group: PACE,
    field: "startupTimeout",
    about: "how long the first answer may take",
    otherwise: "60000, or --timeout if more",
  },
  {
    name: "preflight-timeout",
    value: "<ms>",
    group: PACE,
    scope: "http",
    field: "preflightTimeout",
    about: "how long the first server/discover may take",
    otherwise: "10000, or --timeout if less",
  },
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
  {
    name: "verbose",
    group: OUTPUT,
    field: "verbose",
    about: "a line per check on stderr as it ends, and what the server writes to its stderr",
  },
  { name: "no-color", group: OUTPUT, about: "no colours; so does the variable NO_COLOR" },
];
