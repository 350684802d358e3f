import type { DocumentedCatalog, DocumentedRow } from "../src/model/catalog.ts";
import type { Catalogs, Described } from "./generate.ts";

type Kind = "http" | "stdio";
const KINDS: readonly Kind[] = ["http", "stdio"];

/** How much of each revision is judged, and what the faults amount to. */
export function coverage(catalogs: Catalogs, checks: readonly Described[]): string {
  const numbers = [...catalogs].map(([revision, catalog]) => {
    const on = (kind: Kind) => catalog.filter((row) => row.transports.includes(kind)).length;
    const required = catalog.filter((row) => row.required === true).length;
    const optional = catalog.filter((row) => row.required === false).length;
    const written = catalog.filter((row) => find(checks, row.id) !== undefined).length;
    const conditional = catalog.length - required - optional;
    return [revision, catalog.length, on("http"), on("stdio"), required, conditional, optional, written];
  });
  const head = [
    "revision",
    "rows",
    "over HTTP",
    "over stdio",
    "required",
    "required when declared",
    "optional",
    "with a check",
  ];
  const faults = checks.reduce((sum, check) => sum + check.faults.length, 0);
  const trials = [...catalogs].flatMap(([revision, catalog]) =>
    catalog.flatMap((row) => KINDS.map((kind) => countOf(row, find(checks, row.id), revision, kind) ?? 0)),
  );
  const tried = trials.reduce((sum, count) => sum + count, 0);
  return `${table(head, numbers)}\n\n${checks.length} checks catch ${faults} faults. By revision and transport these are ${tried} trials.`;
}

/** Both catalogs side by side: each check with its rows, and the number of its faults on each transport. */
export function matrix(catalogs: Catalogs, checks: readonly Described[]): string {
  const ids = [...new Set([...catalogs.values()].flatMap((catalog) => catalog.map(({ id }) => id)))];
  const head = ["check", "faults", ...[...catalogs.keys()].flatMap((revision) => [revision, ...KINDS])];
  const lines = ids.map((id) => {
    const check = find(checks, id);
    const cells = [...catalogs].flatMap(([revision, catalog]) => {
      const row = catalog.find((each) => each.id === id);
      if (row === undefined) return ["–", "–", "–"];
      const link = `[${standing(row)}, ${row.level}](#${anchor(catalogs, revision, id)})`;
      return [link, ...KINDS.map((kind) => countOf(row, check, revision, kind) ?? "–")];
    });
    return [id, check === undefined ? "none yet" : check.faults.length, ...cells];
  });
  return table(head, lines);
}

/** How many checks have each effect. */
export function effects(checks: readonly Described[]): string {
  const count = (effect: string) => checks.filter((check) => check.effect === effect).length;
  const reviews = checks.length - count("shared") - count("own") - count("alone");
  return `Of the ${checks.length} checks ${count("shared")} are shared, ${count("own")} have a session of their own, ${count("alone")} run alone, and ${reviews} only read the transcript.`;
}

/** What a revision and the next have in common and where they part, and which rows are younger than some servers. */
export function between(catalogs: Catalogs): string {
  const all = [...catalogs];
  const pairs = all.slice(1).flatMap(([later, catalog], at) => {
    const [earlier, before] = all[at] ?? [later, catalog];
    return [parting(earlier, before, later, catalog)];
  });
  const young = all.flatMap(([revision, catalog]) => since(revision, catalog));
  return [...pairs, ...young].join("\n\n");
}

// --- internal ---

const find = (checks: readonly Described[], id: string): Described | undefined => checks.find((each) => each.id === id);

const standing = ({ required }: DocumentedRow): string =>
  typeof required === "boolean" ? (required ? "required" : "optional") : `required if ${required.capability}`;

/** The faults of a check that exist in that revision on that transport, or undefined where the row does not. */
function countOf(row: DocumentedRow, check: Described | undefined, revision: string, kind: Kind): number | undefined {
  if (!row.transports.includes(kind)) return undefined;
  return (check?.faults ?? []).filter(
    ({ on, only, world }) =>
      (on ?? kind) === kind && (only ?? revision) === revision && (kind === "http" || world?.auth !== true),
  ).length;
}

/** GitHub numbers the headings that come again. */
function anchor(catalogs: Catalogs, revision: string, id: string): string {
  const before = [...catalogs].slice(0, [...catalogs.keys()].indexOf(revision));
  const times = before.filter(([, catalog]) => catalog.some((row) => row.id === id)).length;
  return times === 0 ? id : `${id}-${times}`;
}

function parting(earlier: string, before: DocumentedCatalog, later: string, after: DocumentedCatalog): string {
  const shared = after.flatMap((row) => {
    const old = before.find(({ id }) => id === row.id);
    return old === undefined ? [] : [{ old, row }];
  });
  const gone = before.filter(({ id }) => !after.some((row) => row.id === id));
  const fresh = after.filter(({ id }) => !before.some((row) => row.id === id));
  const changed = shared.filter(({ old, row }) => standing(old) !== standing(row) || old.level !== row.level);
  const lines = changed.map(({ old, row }) => [
    row.id,
    `${standing(old)}, ${old.level}`,
    `${standing(row)}, ${row.level}`,
  ]);
  return [
    `${earlier} and ${later} share ${shared.length} ids.`,
    `Only in ${earlier} (${gone.length}): ${gone.map(({ id }) => id).join(", ")}.`,
    `Only in ${later} (${fresh.length}): ${fresh.map(({ id }) => id).join(", ")}.`,
    `Shared, with another weight or level (${changed.length}):`,
    table(["id", earlier, later], lines),
  ].join("\n\n");
}

function since(revision: string, catalog: DocumentedCatalog): readonly string[] {
  const dates = [...new Set(catalog.flatMap((row) => row.since ?? []))].toSorted();
  const lines = dates.map((date) => [
    date,
    catalog
      .filter((row) => row.since === date)
      .map(({ id }) => id)
      .join(", "),
  ]);
  return dates.length === 0
    ? []
    : [
        `Rows of ${revision} that are skipped where an older revision than this was negotiated:`,
        table(["since", "rows"], lines),
      ];
}

function table(head: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...lines.map(line)].join("\n");
}
