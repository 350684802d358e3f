/** What a process that ended at once has told, mostly on stderr: how to read it, and what to do. */
export interface Said {
  readonly id: string;
  readonly pattern: RegExp;
  /** Completes "The server …", from the match. */
  headline(found: RegExpExecArray): string;
  readonly mend: string;
}

const named = (found: RegExpExecArray): string =>
  found.slice(1).find((each) => each !== undefined && each !== "") ?? "";

/** A variable by its usual spelling; codes of errors look alike. */
const NAME = "(?!ERR_|NPM_|UV_|HPE_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+";

/** In order: what is more precise stands above what would also match. */
export const SAID: readonly Said[] = [
  {
    id: "port-in-use",
    pattern:
      /EADDRINUSE[^\n]{0,80}?(?::|port )(\d{2,5})\b|EADDRINUSE|address already in use|Only one usage of each socket address/i,
    headline: (found) => `ends because a port is in use${named(found) === "" ? "" : ` (${named(found)})`}`,
    mend: "End what listens there (an earlier start of the same server, often), or give the server another port. A stdio server needs no port at all.",
  },
  {
    id: "script-missing",
    pattern:
      /Cannot find module '([^'\n]*[/\\][^'\n]*\.[cm]?[jt]sx?)'[\s\S]{0,400}?requireStack: \[\]|can't open file '([^'\n]+)'|Unable to access jarfile (\S+)|(?:Error: )?Module not found "([^"\n]+)"|Could not open input file: (\S+)/,
    headline: (found) => `is not there: the script ${JSON.stringify(named(found))} does not exist`,
    mend: "Check the script's path; give --cwd if it is meant to be seen from another folder. If it is built (dist/, build/), build it first.",
  },
  {
    id: "module-missing",
    pattern:
      /Cannot find (?:module|package) '([^'\n]+)'|No module named '?([\w.]+)'?|Could not find or load main class (\S+)|cannot load such file -- (\S+)|no required module provides package (\S+?)[:;\s]|Could not load file or assembly '([^'\n]+)'/,
    headline: (found) => `lacks a module: ${JSON.stringify(named(found))} can't be found`,
    mend: "Install the server's dependencies (npm install, pip install, uv sync) in the folder or environment that it is started in, and build it if it is built.",
  },
  {
    id: "package-not-found",
    pattern:
      /npm (?:ERR!|error) (?:code )?E404[\s\S]{0,300}?'?([@\w./-]+)@[^\s']*'? is not in this registry|npm (?:ERR!|error) (?:code )?(?:E404|ETARGET)|not found in the package registry|No matching distribution found for (\S+)|could not determine executable to run/i,
    headline: (found) =>
      `can't be installed: the package${named(found) === "" ? "" : ` ${JSON.stringify(named(found))}`} or its program does not exist in the registry`,
    mend: "Check the package's name and version; if it is private, log in to its registry.",
  },
  {
    id: "registry-unreachable",
    pattern:
      /npm (?:ERR!|error) (?:code )?(ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN|SELF_SIGNED_CERT_IN_CHAIN)|error sending request for url|Could not fetch URL/i,
    headline: () => "can't be installed: the package registry can't be reached",
    mend: "Check the network, the proxy (HTTPS_PROXY) and the registry's address; or install the server first and start it without a download.",
  },
  {
    id: "runtime-too-old",
    pattern:
      /EBADENGINE|Unsupported engine|engine "node" is incompatible|ERR_REQUIRE_ESM|ERR_UNKNOWN_FILE_EXTENSION|bad option: --|(?:requires?|needs?|at least|use) (?:node(?:\.js)?|python)(?: version)?\s*(?:>=|>|\^|~|v)?\s*(\d[\w.]*)|Node(?:\.js)? (?:version )?v?[\d.]+ is (?:not supported|too old)|(?:does not provide an export named|Unexpected token '(?:\?|\?\?=|\.)'|structuredClone is not defined|fetch is not defined)|class file version|requires a different Python|UnsupportedClassVersionError/i,
    headline: (found) => `wants another version of its runtime${named(found) === "" ? "" : ` (${named(found)})`}`,
    mend: "Look at what version the server asks for (engines, requires-python) and at the one that the command starts: node --version, python --version. Clients with a window may find another one than your shell.",
  },
  {
    id: "library-missing",
    pattern:
      /error while loading shared libraries: (\S+?):|Library not loaded: (\S+)|version `(GLIBC(?:XX)?_[\d.]+)' not found|wrong ELF class|Bad CPU type in executable|Exec format error/,
    headline: (found) =>
      `is built for another system: ${named(found) === "" ? "its program can't be run here" : `${JSON.stringify(named(found))} is missing`}`,
    mend: "Take the build for this system and processor, or install the library.",
  },
  {
    id: "docker-down",
    pattern: /Cannot connect to the Docker daemon|docker daemon is not running|error during connect:.*docker/i,
    headline: () => "is started by Docker, and Docker does not run",
    mend: "Start Docker, and look whether your user may use it.",
  },
  {
    id: "variable-missing",
    // Names of variables are told by their capitals, so letter case counts here.
    pattern: new RegExp(
      [
        `(?:[Ee]nvironment|[Ee]nv\\.?|ENV) ?[Vv]ar(?:iable)?s?[^\\n]{0,60}?\\b(${NAME}|[A-Z]{4,})\\b`,
        `\\b(${NAME})\\b[^\\n]{0,60}?\\b(?:environment variable|env var|required|missing|not set|not defined|not provided|not found|must be (?:set|provided)|unset|empty|undefined)`,
        `(?:[Mm]issing|[Rr]equire[ds]?|[Pp]rovide|[Ss]et|[Nn]o|[Nn]eeds?)\\b[^\\n]{0,40}?\\b(${NAME})\\b`,
        "KeyError: '([A-Z][A-Z0-9_]+)'",
        "(?:API|[Aa]pi|[Aa]ccess)[ _-](?:[Kk]ey|[Tt]oken) (?:is )?(?:required|missing|not (?:set|provided|found))",
        "(?:[Mm]issing|[Nn]o|[Ss]et|[Pp]rovide) (?:an? |your |the )?(?:API|[Aa]pi|[Aa]ccess)[ _-](?:[Kk]ey|[Tt]oken)s?\\b",
      ].join("|"),
    ),
    headline: (found) => {
      const near = new RegExp(`\\b${NAME}\\b`).exec(found.input.slice(found.index, found.index + 300))?.[0];
      const name = named(found) || near;
      return `ends because a variable of its environment is missing${name === undefined ? "" : `: ${name}`}`;
    },
    mend: "Give it: -E NAME=VALUE, or --env-file FILE. The process gets a small environment, not all of your shell's. For the server's author: start without credentials and say what is missing when a tool is called, so that directories can list the tools.",
  },
  {
    id: "credential-refused",
    pattern:
      /(?:invalid|incorrect|wrong|expired|bad|revoked|unauthori[sz]ed)[^\n]{0,30}?(?:api.?key|token|credentials?|password|secret)|(?:api.?key|token|credentials?|password)[^\n]{0,30}?(?:is |are )?(?:invalid|incorrect|wrong|expired|rejected|revoked)|authentication failed|401 Unauthorized/i,
    headline: () => "ends because its credentials are refused",
    mend: "Check the credentials that you give (-E NAME=VALUE). For the server's author: start anyway and report it when a tool is called.",
  },
  {
    id: "argument-missing",
    pattern:
      /the following arguments are required: ([^\n]{1,80})|missing required (?:argument|option|positional)[^\n]{0,60}|required option '([^'\n]+)' not specified|the following required arguments were not provided|unrecognized arguments?: ([^\n]{1,80})|unknown option:? '?(-[^'\n\s]{1,60})|unexpected argument '([^'\n]+)'/i,
    headline: (found) => `does not accept its arguments${named(found) === "" ? "" : `: ${named(found)}`}`,
    mend: "Give the arguments that it wants. Everything after -- belongs to the command as it is.",
  },
  {
    id: "usage",
    pattern: /^[ \t]*usage:?\s|^[ \t]*(?:options|commands|flags):\s*$/im,
    headline(found) {
      const why = /^[ \t]*(?:error|fatal)\b[: ]+([^\n]{1,160})/im.exec(found.input)?.[1];
      return `prints how it is used and ends, instead of serving${why === undefined ? "" : `: ${JSON.stringify(why)}`}`;
    },
    mend: "Give the arguments that make it a server on stdio (serve, stdio, --stdio and the like).",
  },
  {
    id: "dependency-unreachable",
    pattern:
      /ECONNREFUSED[^\n]{0,20}?((?:\d{1,3}\.){3}\d{1,3}:\d+|\[?::1\]?:\d+)|connection refused|could not connect to server|getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/i,
    headline: (found) =>
      `ends because something that it needs can't be reached${named(found) === "" ? "" : `: ${named(found)}`}`,
    mend: "Start what it needs (a database, an API), or correct its address.",
  },
  {
    id: "file-missing",
    pattern:
      /ENOENT: no such file or directory, \w+ '([^'\n]+)'|FileNotFoundError: [^\n]*?'([^'\n]+)'|open ([^\s:]+): no such file or directory/,
    headline: (found) => `ends because a file is missing: ${JSON.stringify(named(found))}`,
    mend: "Create the file, or start the server in the folder that it expects (--cwd).",
  },
  {
    id: "permission",
    pattern:
      /(?:EACCES|EPERM)[^\n]*?'([^'\n]+)'|EACCES|PermissionError: [^\n]*?'([^'\n]+)'|permission denied|Operation not permitted/i,
    headline: (found) =>
      `ends because something is not permitted${named(found) === "" ? "" : `: ${JSON.stringify(named(found))}`}`,
    mend: "Give its user the right to it, or another place to write.",
  },
  {
    id: "out-of-memory",
    pattern: /JavaScript heap out of memory|std::bad_alloc|OutOfMemoryError|MemoryError/,
    headline: () => "runs out of memory",
    mend: "Give it more memory, or look what it loads at its start.",
  },
  {
    id: "syntax-error",
    pattern: /^[ \t]*(SyntaxError: [^\n]{1,120}|IndentationError: [^\n]{1,120}|error: expected [^\n]{1,120})/m,
    headline: (found) => `can't be parsed: ${named(found)}`,
    mend: "Correct the source, or start it by the runtime it is written for (TypeScript needs a build, or a runtime that reads it).",
  },
  {
    id: "crash",
    pattern:
      /^[ \t]*(?:Uncaught )?((?:[A-Za-z_][\w.]*(?:Error|Exception)|panic|thread '[^'\n]*' panicked at)\b:? ?[^\n]{0,160})/m,
    headline: (found) => `crashes at its start: ${named(found)}`,
    mend: "Read the error and the lines after it in the stderr below.",
  },
];
