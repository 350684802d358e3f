import * as v from "valibot";
import { REVISIONS, type RevisionId } from "../model/catalog.ts";
import { isObject } from "../model/json.ts";
import type { Accepted } from "../model/report.ts";
import { revisions } from "../revisions/index.ts";
import { parseJsonc } from "../text/jsonc.ts";
import { parsed, readText } from "./read-text.ts";
import { nearest, UsageError } from "./usage.ts";

/** The failures that a user accepts, by revision: ids mean something in their own catalog only. */
export interface Expectations {
  readonly file: string;
  readonly entries: Readonly<Partial<Record<RevisionId, readonly Accepted[]>>>;
}

/** Reads a file of expected failures; ids that no catalog has and dates that are none are the user's mistakes. */
export function readExpectations(file: string, cwd: string, flag = "--expected-failures"): Expectations {
  const document = parsed(parseJsonc, readText(file, flag, cwd), file);
  if (!isObject(document)) throw new UsageError(`${file}: give ${SHAPE}.`);
  const entries = Object.entries(document)
    .filter(([name]) => !name.startsWith("$"))
    .map(([name, rows]) => {
      const revision = REVISIONS.find((each) => each === name);
      if (revision === undefined) {
        const meant = nearest(name, REVISIONS) ?? REVISIONS.join(" or ");
        throw new UsageError(`${file}: ${JSON.stringify(name)} is no revision: write ${meant}.`);
      }
      if (!isObject(rows)) throw new UsageError(`${file}: what stands under ${name} is no object: give ${SHAPE}.`);
      return [revision, Object.entries(rows).map(([id, entry]) => entryOf(file, revision, id, entry))] as const;
    });
  return { file, entries: Object.fromEntries(entries) };
}

/** What a user should know of a file that says nothing of the revision judged. */
export function silentAbout({ file, entries }: Expectations, revision: RevisionId): readonly string[] {
  const others = REVISIONS.filter((each) => (entries[each] ?? []).length > 0);
  if (entries[revision] !== undefined || others.length === 0) return [];
  return [
    `${file} accepts failures of ${others.join(" and ")} only, and this run judged by ${revision}: pin it with --spec-version, or accept failures of ${revision}, too.`,
  ];
}

/** Whether the text is a day of the calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

// --- internal ---

const SHAPE = '{ "2025-11-25": { "tools-list": { "reason": "why", "expires": "2027-01-31" } } }';

const DATE = "a day, as YYYY-MM-DD";
const EntrySchema = v.strictObject({
  reason: v.pipe(v.string("a text that says why"), v.trim(), v.nonEmpty("a text that says why")),
  expires: v.optional(v.pipe(v.string(DATE), v.check(isDay, DATE))),
});

function entryOf(file: string, revision: RevisionId, id: string, entry: unknown): Accepted {
  const ids = revisions[revision].catalog.map((row) => row.id);
  const where = `${file}: ${revision} ${id}`;
  if (!ids.includes(id)) {
    const elsewhere = REVISIONS.find((each) => revisions[each].catalog.some((row) => row.id === id));
    const meant = nearest(id, ids);
    const hint =
      elsewhere !== undefined
        ? `it is one of ${elsewhere}`
        : meant === undefined
          ? "see test --list"
          : `did you mean ${meant}?`;
    throw new UsageError(`${where} is no check of that revision: ${hint}`);
  }
  const result = v.safeParse(EntrySchema, entry);
  if (result.success) {
    const { reason, expires } = result.output;
    return { id, reason, ...(expires === undefined ? {} : { expires }) };
  }
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  if (issue.expected === "never")
    throw new UsageError(`${where}: there is no field ${path}: they are reason and expires.`);
  if (path === null || issue.received === "undefined")
    throw new UsageError(`${where}: its reason is missing: give ${SHAPE}.`);
  throw new UsageError(`${where}: ${path} is ${issue.received}: give ${issue.message}.`);
}
