// Writes a new check and its rows: `bun run new-check ID --area A --section URL --level L`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { AREAS, CatalogSchema, type DocumentedRow, REVISIONS, RowSchema } from "../src/model/catalog.ts";
import { generate, UNFINISHED, write } from "./generate.ts";

const USAGE = `usage: bun run new-check ID --area AREA --section URL --level LEVEL [options]
  --transports http,stdio   the transports on which it is judged (default both)
  --required                the row is required (default optional)
  --capability NAME         required when the server declares this capability
  --requirement TEXT        the requirement in our words (default: left to you)
  --revision DATE           whose catalog gets the row; repeatable (default ${REVISIONS[0]})
A catalog that has the row already keeps it; then --section and --level may be left out.`;

/** What stopped it; the message names the culprit and the cure. */
class Refusal extends Error {
  override name = "Refusal";
}

/** Writes the check and its rows below `root`; returns what was done, line by line. */
export async function newCheck(root: string, args: readonly string[]): Promise<readonly string[]> {
  const { values, id } = parsed(args);
  const area = AREAS.find((each) => each === values.area);
  if (area === undefined) throw new Refusal(`--area must be one of ${AREAS.join(", ")}; got ${values.area ?? "none"}`);
  const file = `src/checks/${area}/${id}.ts`;
  const taken = existing(root, id);
  if (taken !== undefined) throw new Refusal(`${id} exists already: ${taken}`);

  const done: string[] = [];
  const writes: (readonly [path: string, text: string])[] = [[file, template(id)]];
  for (const revision of values.revision ?? [REVISIONS[0]]) {
    if (!REVISIONS.some((each) => each === revision)) {
      throw new Refusal(`--revision must be one of ${REVISIONS.join(", ")}; got ${revision}`);
    }
    const path = `catalogs/${revision}.json`;
    if (!existsSync(join(root, path))) throw new Refusal(`${path} does not exist yet`);
    const text = readFileSync(join(root, path), "utf8");
    const there = v.parse(CatalogSchema, JSON.parse(text)).find((row) => row.id === id);
    if (there === undefined) writes.push([path, withRow(text, rowOf(id, area, values))]);
    else if (there.area !== area) throw new Refusal(`${path} has ${id} in area ${there.area}, not ${area}`);
    else done.push(`${path}: has the row already; kept as it is`);
  }
  for (const [path, text] of writes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    done.push(`${path}: written`);
  }
  const generated = write(root, await generate(root));
  return [...done, ...generated.map((path) => `${path}: regenerated`), `next: write the faults, then run, in ${file}`];
}

if (import.meta.main) {
  try {
    for (const line of await newCheck(dirname(import.meta.dir), process.argv.slice(2))) console.log(line);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`new-check: ${error.message}`);
    process.exitCode = 2;
  }
}

// --- internal ---

function parsed(args: readonly string[]) {
  const options = {
    area: { type: "string" },
    section: { type: "string" },
    level: { type: "string" },
    transports: { type: "string" },
    required: { type: "boolean" },
    capability: { type: "string" },
    requirement: { type: "string" },
    revision: { type: "string", multiple: true },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [id, extra] = positionals;
    if (id === undefined || extra !== undefined) throw new TypeError("give exactly one id");
    if (!v.is(RowSchema.entries.id, id)) throw new TypeError(`${id} is no id: kebab words, such as tools-call-unknown`);
    return { values, id };
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function existing(root: string, id: string): string | undefined {
  const folder = join(root, "src/checks");
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find((each) => each.name === `${id}.ts`);
  return found && join(found.parentPath, found.name).slice(root.length + 1);
}

function rowOf(id: string, area: string, values: ReturnType<typeof parsed>["values"]): DocumentedRow {
  const row = v.safeParse(RowSchema, {
    id,
    area,
    transports: (values.transports ?? "http,stdio").split(",").map((each) => each.trim()),
    required: values.capability === undefined ? values.required === true : { capability: values.capability },
    level: values.level,
    section: values.section,
    requirement: values.requirement ?? `${UNFINISHED}: what the specification asks, in our words`,
    verdicts: {
      pass: `${UNFINISHED}: what is right, and when a note is added`,
      fail: `${UNFINISHED}: what is wrong`,
      skipped: `${UNFINISHED}: when it does not bind a server`,
    },
  });
  if (row.success) return row.output;
  throw new Refusal(row.issues.map((issue) => `--${v.getDotPath(issue)?.split(".")[0]}: ${issue.message}`).join("\n"));
}

/** Adds the row after the last of its area, leaving every other line as it is. */
function withRow(text: string, row: DocumentedRow): string {
  const lines = text.trimEnd().split("\n");
  const fields = Object.entries(row).map(([key, value]) =>
    key === "verdicts"
      ? JSON.stringify({ [key]: value }, null, 2)
          .split("\n")
          .slice(1, -1)
          .map(indented)
          .join("\n")
      : `    ${JSON.stringify(key)}: ${spaced(value)}`,
  );
  const added = ["  {", ...fields.map((field, at) => (at < fields.length - 1 ? `${field},` : field)), "  },"];
  const neighbour = lines.findLastIndex((line) => line.trim() === `"area": ${JSON.stringify(row.area)},`);
  const end = lines.findIndex((line, at) => at > neighbour && /^ {2}\},?$/.test(line));
  if (neighbour === -1 || end === -1) return `${JSON.stringify([...JSON.parse(text), row], null, 2)}\n`;
  const last = lines[end] === "  }";
  const before = lines.slice(0, end + 1).with(end, "  },");
  return `${[...before, ...(last ? added.with(-1, "  }") : added), ...lines.slice(end + 1)].join("\n")}\n`;
}

const indented = (line: string): string => `  ${line}`;

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  return typeof value === "object"
    ? JSON.stringify(value).replace(/^\{(.*?):(.*)\}$/, "{ $1: $2 }")
    : JSON.stringify(value);
}

function template(id: string): string {
  return `import { defineCheck } from "../../model/define.ts";
import { fault } from "../../model/fault.ts";

export default defineCheck({
  id: "${id}",
  title: "${UNFINISHED}: the requirement kept, as a short sentence",
  why: "${UNFINISHED}: what goes wrong for a client when it is not kept",
  fix: "${UNFINISHED}: what the author of a server does about it",
  snippet: ["${UNFINISHED}: what goes over the wire (-> a client sends, <- a right server answers), or code"],
  effect: "shared",
  faults: [
    fault("${UNFINISHED}: completes 'a server that' (${id})", () => {
      throw new Error("the fault of ${id} is not written yet");
    }),
  ],
  async run() {
    throw new Error("${id} is not written yet");
  },
});
`;
}
