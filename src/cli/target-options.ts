import { connectionOptions } from "./connection.ts";
import { OUTPUT } from "./output-options.ts";
import type { Option } from "./split.ts";

export const TRANSPORTS = ["http", "stdio", "sse"] as const;

const SERVER = "Which server";
const HTTP = "Servers behind a URL";
export const PROCESS = "Servers that are started";
export const PACE = "Patience and pace";

/** Where the target stands, if not on the command line. */
export const sourceOptions: readonly Option[] = [
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
];

/** How a server behind a URL is spoken to. */
export const httpOptions: readonly Option[] = [
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
];

/** How a server's process is started. */
export const processOptions: readonly Option[] = [
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
];

/** How long to wait. */
export const patienceOptions: readonly Option[] = [
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
];

/** What is told meanwhile, and how. */
export const screenOptions: readonly Option[] = [
  {
    name: "verbose",
    group: OUTPUT,
    field: "verbose",
    about: "a line per check on stderr as it ends, and what the server writes to its stderr",
  },
  { name: "no-color", group: OUTPUT, about: "no colours; so does the variable NO_COLOR" },
];

/** What means the same for every verb that talks to a server. */
export const targetOptions: readonly Option[] = [
  ...sourceOptions,
  ...httpOptions,
  ...processOptions,
  ...patienceOptions,
  ...screenOptions,
];
