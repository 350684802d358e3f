import { inertJson } from "../text/escape.ts";
import type { Redact } from "../text/redact.ts";
import { createBounds } from "./_bounds.ts";
import type { Change, Diff } from "./diff.ts";
import type { DiffSide, DiffTest } from "./diff-read.ts";

/** The comparison for programs: a `schemaVersion` of its own, the lists by name, and whether it is a failure. */
export function diffToJson(diff: Diff, redact: Redact): string {
  return `${inertJson(JSON.stringify(diffDocument(diff, redact), null, 2))}\n`;
}

/** One test in one of the lists; `was` and `now` are its outcomes, null where it isn't in that report. */
export interface ChangeDocument {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly required: boolean;
  readonly was: OutcomeDocument | null;
  readonly now: OutcomeDocument | null;
}

export interface OutcomeDocument {
  readonly status: string;
  readonly details: string;
}

/** What `mcp-assay diff --format json` prints. */
export interface DiffDocument {
  readonly schemaVersion: "1";
  readonly kind: "diff";
  readonly specVersion: string;
  /** Whether any test is newly failing: exit code 1. */
  readonly regressed: boolean;
  readonly a: SideDocument;
  readonly b: SideDocument;
  readonly scoreChange: number;
  readonly newlyFailing: readonly ChangeDocument[];
  readonly fixed: readonly ChangeDocument[];
  readonly newlySkipped: readonly ChangeDocument[];
  readonly noLongerSkipped: readonly ChangeDocument[];
  readonly new: readonly ChangeDocument[];
  readonly gone: readonly ChangeDocument[];
  readonly stillFailing: readonly ChangeDocument[];
  readonly unchanged: number;
  readonly notes: readonly string[];
}

/** A report as it was compared: scored as this version does, beside what the file says. */
export interface SideDocument {
  readonly name: string;
  readonly toolVersion: string;
  readonly url: string;
  readonly timestamp: string;
  readonly grade: string;
  readonly score: number;
  readonly recorded: { readonly grade: string; readonly score: number };
}

export function diffDocument(diff: Diff, redact: Redact): DiffDocument {
  const { text, name } = createBounds(redact);
  const outcome = (test: DiffTest | undefined): OutcomeDocument | null =>
    test === undefined ? null : { status: test.status, details: text(test.details) };
  const change = ({ id, was, now }: Change): ChangeDocument => ({
    id: name(id),
    name: name((now ?? was)?.name ?? ""),
    category: (now ?? was)?.category ?? "",
    required: (now ?? was)?.required ?? false,
    was: outcome(was),
    now: outcome(now),
  });
  const side = (each: DiffSide): SideDocument => ({
    name: text(each.name),
    toolVersion: name(each.toolVersion),
    url: text(each.url),
    timestamp: name(each.timestamp),
    grade: each.grade,
    score: each.score,
    recorded: { grade: name(each.recorded.grade), score: each.recorded.score },
  });
  return {
    schemaVersion: "1",
    kind: "diff",
    specVersion: diff.b.specVersion,
    regressed: diff.newlyFailing.length > 0,
    a: side(diff.a),
    b: side(diff.b),
    scoreChange: Math.round((diff.b.score - diff.a.score) * 10) / 10,
    newlyFailing: diff.newlyFailing.map(change),
    fixed: diff.fixed.map(change),
    newlySkipped: diff.newlySkipped.map(change),
    noLongerSkipped: diff.noLongerSkipped.map(change),
    new: diff.added.map(change),
    gone: diff.gone.map(change),
    stillFailing: diff.stillFailing.map(change),
    unchanged: diff.unchanged,
    notes: diff.notes.map((note) => text(note)),
  };
}
