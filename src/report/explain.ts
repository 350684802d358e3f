import { AREAS, type Area, type Catalog, isBacked, REVISIONS, type RevisionId, type Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import { nearest } from "../text/nearest.ts";

/** Where explanations come from: the checks and the catalog of each revision. */
export interface Sources {
  readonly checks: readonly Check[];
  readonly catalogs: Readonly<Record<RevisionId, Catalog>>;
}

/** What one revision says of a check. */
export interface RevisionExplained {
  readonly revision: RevisionId;
  /** In words: `yes`, `no`, or when. */
  readonly required: string;
  readonly level: Row["level"];
  readonly transports: readonly string[];
  readonly section: string;
  readonly requirement: string;
  /** When it passes, fails and is skipped. */
  readonly verdicts: { readonly pass: string; readonly fail: string; readonly skipped: string };
  /** The first revision whose text has the rule, where servers of older ones are spared. */
  readonly since?: string;
}

/** All there is to say of one check. */
export interface CheckExplained {
  readonly kind: "check";
  readonly id: string;
  readonly area: Area;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  /** Lines that show the fix. */
  readonly snippet: readonly string[];
  /** Oldest first; only the asked one where one was asked for. */
  readonly revisions: readonly RevisionExplained[];
  /** Where the revisions differ, or that only one has the check. Empty where they agree. */
  readonly differences: readonly string[];
  /** Defects that the check is proven to catch, each completing "a server that"; `serve --fault` takes their ids. */
  readonly faults: readonly FaultExplained[];
  /** What an informational check says of which server. */
  readonly cases: readonly { readonly name: string; readonly text: string }[];
}

export interface FaultExplained {
  readonly id: string;
  readonly name: string;
  readonly on?: string;
  readonly only?: RevisionId;
}

/** The checks of an area, or of all. */
export interface ListExplained {
  readonly kind: "list";
  readonly area?: Area;
  readonly checks: readonly {
    readonly id: string;
    readonly area: Area;
    readonly title: string;
    readonly required: Readonly<Partial<Record<RevisionId, string>>>;
  }[];
}

/** Nothing is called so; with what may have been meant, and where it is otherwise. */
export interface Unexplained {
  readonly kind: "unknown";
  readonly message: string;
  readonly meant?: string;
}

/** Explains a check by its id (or the id of one of its faults), or lists an area. */
export function explain(
  asked: string,
  sources: Sources,
  revision?: RevisionId,
): CheckExplained | ListExplained | Unexplained {
  const area = AREAS.find((each) => each === asked);
  if (area !== undefined) return listChecks(sources, revision, area);
  const id = asked.replace(/\/\d+$/, "");
  const found = REVISIONS.flatMap((each) => {
    const row = sources.catalogs[each].find((one) => one.id === id);
    return row === undefined ? [] : [{ revision: each, row }];
  });
  const shown = found.filter((each) => revision === undefined || each.revision === revision);
  const check = sources.checks.find((each) => each.id === id);
  const first = shown[0];
  if (first === undefined || check === undefined) return unknown(id, sources, revision);
  return {
    kind: "check",
    id,
    area: first.row.area,
    title: check.title,
    why: check.why,
    fix: check.fix,
    snippet: check.snippet ?? [],
    revisions: shown.map((each) => revisionOf(each.revision, each.row)),
    differences: differencesOf(found),
    faults: faultsOf(check, revision),
    cases: (check.cases ?? []).map(({ name, text }) => ({ name, text })),
  };
}

/** The checks of one revision or both, of one area or all, in the order of the catalogs. */
export function listChecks({ checks, catalogs }: Sources, revision?: RevisionId, area?: Area): ListExplained {
  const rows = new Map<string, Partial<Record<RevisionId, Row>>>();
  for (const each of REVISIONS.filter((one) => revision === undefined || one === revision)) {
    for (const row of catalogs[each]) {
      if (area === undefined || row.area === area) rows.set(row.id, { ...rows.get(row.id), [each]: row });
    }
  }
  const all = [...rows].map(([id, of]) => ({
    id,
    area: (of["2025-11-25"] ?? of["2026-07-28"])?.area ?? "transport",
    title: checks.find((check) => check.id === id)?.title ?? "",
    required: Object.fromEntries(Object.entries(of).map(([one, row]) => [one, requiredIn(row)])),
  }));
  const inOrder = AREAS.flatMap((each) => all.filter((check) => check.area === each));
  return { kind: "list", ...(area === undefined ? {} : { area }), checks: inOrder };
}

// --- internal ---

function unknown(id: string, { catalogs }: Sources, revision: RevisionId | undefined): Unexplained {
  const elsewhere = REVISIONS.find((each) => catalogs[each].some((row) => row.id === id));
  if (elsewhere !== undefined && revision !== undefined) {
    return {
      kind: "unknown",
      message: `${id} is a check of ${elsewhere} only, not of ${revision}: leave the revision out, or ask for ${elsewhere}.`,
      meant: id,
    };
  }
  const ids = [...new Set(REVISIONS.flatMap((each) => catalogs[each].map((row) => row.id)))];
  const meant = nearest(id, [...ids, ...AREAS]) ?? ids.find((each) => id.length > 3 && each.includes(id));
  const hint = meant === undefined ? "explain --list shows all ids" : `did you mean ${meant}?`;
  return {
    kind: "unknown",
    message: `There is no check and no area ${JSON.stringify(id.slice(0, 100))}: ${hint}`,
    ...(meant === undefined ? {} : { meant }),
  };
}

function revisionOf(revision: RevisionId, row: Row): RevisionExplained {
  const { level, transports, section, requirement, since } = row;
  const verdicts = row.verdicts ?? { pass: requirement, fail: "Anything else.", skipped: "See the section." };
  return {
    ...{ revision, required: requiredIn(row), level, transports, section, requirement, verdicts },
    ...(since === undefined ? {} : { since }),
  };
}

function requiredIn(row: Row): string {
  if (typeof row.required !== "boolean") return `when the server declares ${row.required.capability}`;
  if (!row.required) return "no";
  return isBacked(row) ? "yes" : "yes, by this catalog and not by the specification";
}

function differencesOf(found: readonly { readonly revision: RevisionId; readonly row: Row }[]): readonly string[] {
  const [a, b] = found;
  if (a === undefined) return [];
  if (b === undefined) {
    const other = REVISIONS.filter((each) => each !== a.revision).join(", ");
    return [`Only ${a.revision} has this check; ${other} has none of that id.`];
  }
  const facts: readonly (readonly [noun: string, of: (row: Row) => string])[] = [
    ["required", requiredIn],
    ["area", (row) => row.area],
    ["level", (row) => row.level],
    ["transports", (row) => row.transports.join(", ")],
    ["requirement", (row) => row.requirement],
    ["passes", (row) => row.verdicts?.pass ?? ""],
    ["fails", (row) => row.verdicts?.fail ?? ""],
  ];
  return facts.flatMap(([noun, of]) => {
    const [before, now] = [of(a.row), of(b.row)];
    if (before === now) return [];
    const long = before.length + now.length > 120;
    return [long ? `${noun}: see each revision` : `${noun}: ${before} in ${a.revision}, ${now} in ${b.revision}`];
  });
}

const faultsOf = ({ id, faults }: Check, revision: RevisionId | undefined): readonly FaultExplained[] =>
  faults.flatMap(({ name, on, only }, index) =>
    revision !== undefined && only !== undefined && only !== revision
      ? []
      : [
          {
            id: `${id}/${index + 1}`,
            name,
            ...(on === undefined ? {} : { on }),
            ...(only === undefined ? {} : { only }),
          },
        ],
  );
