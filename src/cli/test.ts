import type { Target } from "../engine/context.ts";
import { select } from "../engine/select.ts";
import { REVISIONS } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import { revisions } from "../revisions/index.ts";
import type { Secret } from "../text/redact.ts";
import { connectionOf, connectionSecrets } from "./connection.ts";
import { gradeTarget } from "./grade-run.ts";
import type { Split } from "./split.ts";
import { targetOf } from "./target.ts";
import { print, printError } from "./terminal.ts";
import { choice, testOptions, testSettings } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import { last, type Verb } from "./verb.ts";

export const test: Verb = {
  name: "test",
  about: "grade a server against the specification",
  target: "<url | command…>",
  options: testOptions,
  examples: [
    "mcp-assay test https://example.com/mcp",
    'mcp-assay test https://example.com/mcp --auth "Bearer $TOKEN" --strict',
    "mcp-assay test npx -y @modelcontextprotocol/server-everything",
    "mcp-assay test -E API_KEY=x --cwd ./server -- node server.js --verbose",
  ],
  async run(split) {
    const settings = testSettings(split);
    if (split.switches.has("list")) return listed(split);
    const env = split.values.get("env") ?? [];
    const headers = split.values.get("header") ?? [];
    const auth = last(split, "auth");
    const verbose = split.switches.has("verbose");
    const tls = connectionOf(split, process.cwd());
    const given = targetOf(
      {
        words: split.words,
        headers,
        auth,
        env,
        cwd: last(split, "cwd"),
        tls,
        ...(verbose ? { stderr: (line: string) => void printError(`server: ${line}`) } : {}),
      },
      { env: process.env, cwd: process.cwd(), platform: process.platform },
    );
    return gradeTarget(forced(given, choice(split, "transport", ["http", "stdio", "sse"])), {
      settings,
      strict: split.switches.has("strict"),
      verbose,
      noColor: split.switches.has("no-color"),
      secrets: [...secretsOf(split.words[0] ?? "", headers, auth, env), ...connectionSecrets(tls)],
    });
  },
};

// --- internal ---

/** The target with the transport that the user insists on. */
function forced(target: Target, transport: "http" | "stdio" | "sse" | undefined): Target {
  if (transport === undefined || transport === target.kind) return target;
  if (transport === "sse" && target.kind === "http") return { ...target, sse: true };
  throw new UsageError(
    `--transport ${transport} does not go with ${target.kind === "http" ? "a URL" : "a command"}: leave it out.`,
  );
}

async function listed(split: Split): Promise<number> {
  const kind: Kind | undefined = choice(split, "transport", ["http", "stdio"]);
  const { only, skip, specVersion } = testSettings(split);
  const kinds: readonly Kind[] = kind === undefined ? ["http", "stdio"] : [kind];
  const wanted = specVersion === "auto" ? REVISIONS : [specVersion];
  const sections = wanted.map((id) => {
    const { catalog } = revisions[id];
    const chosen = kinds.map((each) => select(catalog, each, id, { only, skip }));
    const rows = catalog.filter((row) => chosen.some((each) => each.rows.includes(row)));
    // What one transport lacks the other may have: only what holds for all that are listed is worth a warning.
    const [first, ...others] = chosen.map((each) => each.warnings);
    return { id, rows, warnings: (first ?? []).filter((text) => others.every((each) => each.includes(text))) };
  });
  if (sections.every(({ rows }) => rows.length === 0))
    throw new UsageError("No tests to run: check --only and --skip.");
  const texts = sections.map(({ id, rows, warnings }) =>
    [
      `${id}: ${rows.length} checks`,
      ...rows.map((row) => `${row.id.padEnd(44)} ${row.area.padEnd(10)} ${row.transports.join(", ")}`),
      ...warnings.map((warning) => `warning: ${warning}`),
    ].join("\n"),
  );
  await print(texts.join("\n\n"));
  return 0;
}

/** Everything the user gave that is nobody else's business. */
function secretsOf(
  word: string,
  headers: readonly string[],
  auth: string | undefined,
  env: readonly string[],
): readonly Secret[] {
  const secrets: Secret[] = [];
  if (auth !== undefined) secrets.push({ name: "AUTH", value: auth });
  for (const header of headers) {
    const colon = header.indexOf(":");
    secrets.push({
      name: header.slice(0, colon).trim().toUpperCase().replaceAll("-", "_"),
      value: header.slice(colon + 1).trim(),
    });
  }
  for (const variable of env) {
    const equals = variable.indexOf("=");
    const [name, value] = [variable.slice(0, equals), variable.slice(equals + 1)];
    // A setting such as LOG_LEVEL=error is an ordinary word, and taking it out would spoil every report.
    if (CREDENTIAL.test(name) || looksSecret(value)) secrets.push({ name, value });
  }
  for (const [name, value] of queryOf(word)) {
    if (CREDENTIAL.test(name)) {
      secrets.push({ name: name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_"), value });
    }
  }
  const user = /^https?:\/\/([^/?#@]*)@/i.exec(word)?.[1];
  if (user !== undefined) {
    const [name = "", password = ""] = user.split(":");
    for (const value of [password, decodeURIComponent(password)]) secrets.push({ name: "PASSWORD", value });
    secrets.push({
      name: "AUTH",
      value: Buffer.from(`${decodeURIComponent(name)}:${decodeURIComponent(password)}`).toString("base64"),
    });
  }
  return secrets;
}

const queryOf = (word: string): Iterable<[string, string]> => (URL.canParse(word) ? new URL(word).searchParams : []);

const CREDENTIAL = /token|key|secret|pass|pwd|auth|sig|code|credential|cookie|session|dsn|conn/i;
const looksSecret = (value: string): boolean => value.length >= 8 && !/^[a-z]+$|^[\d.]+$/i.test(value);
