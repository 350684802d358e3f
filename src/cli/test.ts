import { select } from "../engine/select.ts";
import { REVISIONS } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import { revisions } from "../revisions/index.ts";
import { count } from "../text/count.ts";
import { loadConfig } from "./config.ts";
import type { ConfigTarget } from "./config-schema.ts";
import { type TestSettings, testSettings } from "./settings.ts";
import type { Split } from "./split.ts";
import { resolveTarget } from "./target.ts";
import { print, printError } from "./terminal.ts";
import { testOptions } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import { choice } from "./values.ts";
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
    "mcp-assay test --env-file .env --cwd ./server -- node server.js --verbose",
    "mcp-assay test --mcp-json .mcp.json --server files --only tools,lifecycle",
    "mcp-assay test --watch -- node ./dist/server.js",
  ],
  notes: [
    "Without a target, that of the config file is tested. Options may stand before or after a URL; what follows a command and is none of ours belongs to the command, and so does everything after --.",
  ],
  async run(split) {
    const loaded = loadConfig(last(split, "config"), process.cwd());
    const settings = testSettings(split, loaded.config);
    if (split.switches.has("list")) {
      if (split.values.has("format")) {
        throw new UsageError(
          "--list prints plain ids and has no --format: leave it out. For programs there is mcp-assay explain --list --format json.",
        );
      }
      return listed(settings, kindOf(split, loaded.config.target));
    }
    const { env, platform } = process;
    const { target, secrets, remark, notes } = resolveTarget(split, loaded.config.target, {
      env,
      cwd: process.cwd(),
      platform,
    });
    if (remark !== undefined) await printError(`note: ${remark}`);
    if (settings.verbose) {
      const from = loaded.file === undefined ? [] : [`settings are taken from ${loaded.file}`];
      for (const note of [...from, ...notes]) await printError(`note: ${note}`);
    }
    const options = { settings, noColor: split.switches.has("no-color"), secrets };
    // All checks and the engine: not before they are needed.
    if (split.switches.has("watch")) return (await import("./watch.ts")).watchTarget(target, options);
    return (await import("./grade-run.ts")).gradeTarget(target, options);
  },
};

// --- internal ---

/** The transport whose checks are listed: of --transport, or of a target that is named. Undefined: of both. */
function kindOf(split: Split, configured: ConfigTarget | undefined): Kind | undefined {
  const given = choice(split, "transport", ["http", "stdio"]);
  if (given !== undefined) return given;
  const [first] = split.words;
  if (first !== undefined) return /^https?:\/\//i.test(first) ? "http" : "stdio";
  if (configured === undefined || split.values.has("mcp-json")) return undefined;
  return configured.type === "stdio" ? "stdio" : "http";
}

async function listed({ only, skip, specVersion }: TestSettings, kind: Kind | undefined): Promise<number> {
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
  if (sections.every(({ rows }) => rows.length === 0)) {
    const why = [...new Set(sections.flatMap(({ warnings }) => warnings))].map((warning) => `\n${warning}`).join("");
    throw new UsageError(`No tests to run: check --only and --skip.${why}`);
  }
  const texts = sections.map(({ id, rows, warnings }) =>
    [
      `${id}: ${count(rows.length, "check")}`,
      ...rows.map((row) => `${row.id.padEnd(44)} ${row.area.padEnd(10)} ${row.transports.join(", ")}`),
      ...warnings.map((warning) => `warning: ${warning}`),
    ].join("\n"),
  );
  await print(texts.join("\n\n"));
  return 0;
}
