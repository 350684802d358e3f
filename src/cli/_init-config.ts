import { existsSync } from "node:fs";
import { join } from "node:path";
import { secretsOfUrl, secretsOfVariables } from "../text/secrets.ts";
import { targetOfWords } from "./_target-source.ts";
import type { Config, ConfigTarget } from "./config-schema.ts";
import type { Split } from "./split.ts";
import { TRANSPORTS } from "./target-options.ts";
import { GRADES, SPEC_VERSIONS } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import { choice, whole } from "./values.ts";
import { last } from "./verb.ts";

/** What is known of the config file to be. */
export interface Answers {
  readonly config: Config;
  /** What the user should know, in lines. */
  readonly notes: readonly string[];
}

/** What the command line says. */
export function answersOf(split: Split, cwd: string): Answers {
  const notes: string[] = [];
  const target = targetGiven(split, cwd, notes);
  const timeout = whole(split, "timeout", 15_000);
  const startupTimeout = whole(split, "startup-timeout", 60_000);
  const specVersion = choice(split, "spec-version", SPEC_VERSIONS);
  const minGrade = choice(split, "min-grade", GRADES, (value) => value.toUpperCase());
  return {
    notes,
    config: {
      ...(target === undefined ? {} : { target }),
      ...(specVersion === undefined ? {} : { specVersion }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(startupTimeout === undefined ? {} : { startupTimeout }),
      ...(split.switches.has("strict") ? { strict: true } : {}),
      ...(minGrade === undefined ? {} : { minGrade }),
    },
  };
}

/** A variable for the file: NAME alone, and whatever is a credential, is read when the tests run. */
export function variableFor(text: string, notes: string[]): readonly [name: string, value: string] {
  const [, name = "", value] = /^([^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) {
    throw new UsageError(`-E ${JSON.stringify(name)} is no name of a variable: write it as NAME or NAME=VALUE.`);
  }
  if (value === undefined) return [name, placeholder(name)];
  if (secretsOfVariables({ [name]: value }).length === 0) return [name, value];
  notes.push(`${name} looks like a credential: the file says ${placeholder(name)}, so set ${name} where the tests run`);
  return [name, placeholder(name)];
}

export const placeholder = (name: string): string => `\${env:${name}}`;

/** Options that make no sense for the kind of target are the user's mistake. */
export function refuseForeign(split: Split, started: boolean): void {
  if (started && split.values.has("auth-env")) {
    throw new UsageError("--auth-env is for HTTP; a command gets its credentials by -E NAME.");
  }
  if (!started && (split.values.has("env") || split.values.has("cwd"))) {
    throw new UsageError("-E and --cwd are for a server that is started, and the target is a URL: leave them out.");
  }
}

export function noteCredential(url: string, notes: string[]): void {
  if (secretsOfUrl(url).length === 0) return;
  notes.push(
    `the URL holds a credential: put it into a variable and write ${placeholder("NAME")}, before the file is committed`,
  );
}

/** The file's text. Fields stand in the order of the documentation. */
export function configText({ config }: Answers, cwd: string): string {
  const schema = "./node_modules/mcp-assay/catalogs/config.v1.schema.json";
  const $schema = existsSync(join(cwd, schema)) ? { $schema: schema } : {};
  return `${JSON.stringify({ ...$schema, ...config }, undefined, 2)}\n`;
}

// --- internal ---

function targetGiven(split: Split, cwd: string, notes: string[]): ConfigTarget | undefined {
  const transport = choice(split, "transport", TRANSPORTS);
  const env = split.values.get("env") ?? [];
  const auth = last(split, "auth-env");
  const folder = last(split, "cwd");
  if (split.words.length === 0) return undefined;
  const target = targetOfWords(split.words, { env: {}, cwd, platform: process.platform }, folder);
  const remote = target.type !== "stdio";
  if (transport !== undefined && (transport === "stdio") === remote) {
    throw new UsageError(`--transport ${transport} does not go with ${remote ? "a URL" : "a command"}: leave it out.`);
  }
  refuseForeign(split, !remote);
  if (target.type === "stdio") {
    return {
      ...target,
      ...(env.length === 0 ? {} : { env: Object.fromEntries(env.map((text) => variableFor(text, notes))) }),
      ...(folder === undefined ? {} : { cwd: folder }),
    };
  }
  noteCredential(target.url, notes);
  return {
    type: transport === "sse" ? "sse" : "http",
    url: target.url,
    ...(auth === undefined ? {} : { headers: { Authorization: placeholder(auth) } }),
  };
}
