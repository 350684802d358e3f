import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Target } from "../engine/context.ts";
import { parseDotenv } from "../text/dotenv.ts";
import { oneLine } from "../text/escape.ts";
import type { Secret } from "../text/redact.ts";
import {
  isPlace,
  secretsOfArguments,
  secretsOfEnvironment,
  secretsOfHeaders,
  secretsOfUrl,
  secretsOfVariables,
} from "../text/secrets.ts";
import { childEnv } from "../text/variables.ts";
import { headersOf, httpTarget } from "./_target-http.ts";
import { type Source, sourceOf } from "./_target-source.ts";
import type { ConfigTarget } from "./config-schema.ts";
import { connectionOf, connectionSecrets } from "./connection.ts";
import { refuseOutsideImage } from "./image.ts";
import { parsed, readText } from "./read-text.ts";
import type { Split } from "./split.ts";
import { TRANSPORTS } from "./target-options.ts";
import { beginning, UsageError } from "./usage.ts";
import { choice } from "./values.ts";
import { last } from "./verb.ts";

/** The machine the tester runs on, as much of it as matters here. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** A target, and what must never be printed of it. */
export interface Resolved {
  readonly target: Target;
  readonly secrets: readonly Secret[];
  /** What the user must know of the choice. */
  readonly remark?: string;
  /** What may be said of it besides, in lines. */
  readonly notes: readonly string[];
}

/**
 * The target that the command line names, else the server of --mcp-json, else the one of the config file; headers and
 * variables of the command line are merged over it by name. Says what is wrong where there is none.
 */
export function resolveTarget(split: Split, configured: ConfigTarget | undefined, machine: Machine): Resolved {
  const secrets: Secret[] = [];
  const filled: Secret[] = [];
  const source = sourceOf(split, configured, machine, ({ name, value }) => {
    filled.push(...secretsOfVariables({ [name]: value }));
  });
  const { target: named } = source;
  secrets.push(...filled.filter((each) => named.type === "stdio" || !isPlace(each, named.url)));
  const transport = choice(split, "transport", TRANSPORTS);
  const remote = source.target.type !== "stdio";
  if (transport !== undefined && (transport === "stdio") === remote) {
    throw new UsageError(`--transport ${transport} does not go with ${remote ? "a URL" : "a command"}: leave it out.`);
  }
  if (source.target.type !== "stdio") {
    refuse(
      split,
      STDIO_ONLY,
      (flag) => `${flag} is for a server that we start, and ${origin(source.target)} is a URL: leave it out.`,
    );
    const given = headersOf(split, machine);
    const tls = connectionOf(split, machine.cwd);
    const { leftOut, ...target } = httpTarget(source.target, given, tls);
    const told = [
      ...(source.remark === undefined ? [] : [source.remark]),
      ...leftOut.map((name) => `the header ${name} is left out: each test sends its own`),
    ];
    const sse = transport === undefined ? source.target.type === "sse" : transport === "sse";
    secrets.push(
      ...(given.auth === undefined ? [] : [{ name: "AUTH", value: given.auth.value }]),
      ...secretsOfHeaders(target.headers),
      ...secretsOfUrl(source.target.url),
      ...connectionSecrets(tls),
    );
    const words = told.length === 0 ? {} : { remark: told.join("; ") };
    return { target: sse ? { ...target, sse } : target, secrets, ...words, notes: [] };
  }
  refuse(split, HTTP_ONLY, (flag) => `${flag} is for HTTP; a command gets its settings by -E NAME=VALUE or arguments.`);
  const { env: own = {}, command, args = [], cwd } = source.target;
  refuseOutsideImage(command, machine);
  const variables = { ...envFileOf(split, source, machine), ...own, ...variablesOf(split.values.get("env") ?? []) };
  const names = Object.keys(variables);
  const all = split.switches.has("inherit-env");
  secrets.push(
    ...secretsOfVariables(variables),
    ...secretsOfArguments(args),
    ...(all ? secretsOfEnvironment(machine.env) : []),
  );
  return {
    target: {
      kind: "stdio",
      command: {
        command,
        args,
        cwd: folderOf(last(split, "cwd"), cwd, source.folder, machine),
        env: childEnv(machine.env, variables, { all }),
        platform: machine.platform,
      },
    },
    secrets,
    ...(source.remark === undefined ? {} : { remark: source.remark }),
    notes: names.length === 0 ? [] : [`the server's process gets ${oneLine(names.join(", "), 300)}`],
  };
}

// --- internal ---

const STDIO_ONLY = ["env", "env-file", "inherit-env", "cwd", "watch"];
const HTTP_ONLY = ["header", "auth", "header-env", "auth-env", "header-file", "ca-file", "proxy", "insecure"];

const origin = (target: ConfigTarget): string =>
  target.type !== "stdio" && URL.canParse(target.url) ? new URL(target.url).origin : "the target";

function refuse({ values, switches }: Split, flags: readonly string[], complaint: (flag: string) => string): void {
  const given = flags.find((flag) => values.has(flag) || switches.has(flag));
  if (given !== undefined) throw new UsageError(complaint(`--${given}`));
}

function envFileOf(split: Split, { envFile }: Source, machine: Machine): Readonly<Record<string, string>> {
  const given = last(split, "env-file");
  const file = given ?? envFile;
  if (file === undefined) return {};
  const flag = given === undefined ? "The envFile of the server," : "--env-file";
  return parsed(parseDotenv, readText(file, flag, machine.cwd), file);
}

function variablesOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const equals = text.indexOf("=");
      if (equals < 1) throw new UsageError(`-E ${beginning(text)} sets no variable: write it as NAME=VALUE.`);
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );
}

function folderOf(given: string | undefined, own: string | undefined, base: string, machine: Machine): string {
  const folder = given === undefined ? resolve(base, own ?? ".") : resolve(machine.cwd, given);
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  const flag = given === undefined ? "The cwd of the target," : "--cwd";
  throw new UsageError(`${flag} ${JSON.stringify(given ?? own ?? folder)} is no folder: give one that exists.`);
}
