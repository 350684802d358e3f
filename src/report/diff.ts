import { DiffError, type DiffSide, type DiffTest, isFailing, isSkip } from "./diff-read.ts";

/** What became of one test between two reports. `was` is missing for a new one, `now` for one that is gone. */
export interface Change {
  readonly id: string;
  readonly was?: DiffTest;
  readonly now?: DiffTest;
}

/** Two reports compared, test by test. Each test stands in one list at most, in the order of the catalog. */
export interface Diff {
  readonly a: DiffSide;
  readonly b: DiffSide;
  /** Passed or skipped before, and fails or is blocked now: the only ones that fail the comparison. */
  readonly newlyFailing: readonly Change[];
  /** Failed or was blocked before, and passes now. */
  readonly fixed: readonly Change[];
  /** Measured before, and not now. */
  readonly newlySkipped: readonly Change[];
  /** Not measured before, and passes now. */
  readonly noLongerSkipped: readonly Change[];
  /** In B only. */
  readonly added: readonly Change[];
  /** In A only. */
  readonly gone: readonly Change[];
  /** Failed or was blocked before, and does so now. */
  readonly stillFailing: readonly Change[];
  /** How many tests are as they were, those that still fail among them. */
  readonly unchanged: number;
  /** What a reader must know to judge the comparison. */
  readonly notes: readonly string[];
}

/**
 * Compares a report with an earlier one.
 * @throws DiffError where they are of different revisions: their ids can't be compared.
 */
export function compareReports(a: DiffSide, b: DiffSide): Diff {
  if (a.specVersion !== b.specVersion) {
    throw new DiffError(
      `${a.name} is judged by ${a.specVersion} and ${b.name} by ${b.specVersion}, and ids can be compared within one revision only: ` +
        `run ${b.name} again with --spec-version ${a.specVersion}, or both with --spec-version ${b.specVersion}.`,
    );
  }
  const changes = [...a.tests.values()].map((was): Change => {
    const now = b.tests.get(was.id);
    return { id: was.id, was, ...(now === undefined ? {} : { now }) };
  });
  const among = (holds: (was: DiffTest, now: DiffTest) => boolean) =>
    changes.filter(({ was, now }) => was !== undefined && now !== undefined && holds(was, now));
  const fails = ({ status }: DiffTest) => isFailing(status);
  const skips = ({ status }: DiffTest) => isSkip(status);
  const passes = ({ status }: DiffTest) => status === "pass";
  return {
    a,
    b,
    newlyFailing: among((was, now) => !fails(was) && fails(now)),
    fixed: among((was, now) => fails(was) && passes(now)),
    newlySkipped: among((was, now) => !skips(was) && skips(now)),
    noLongerSkipped: among((was, now) => skips(was) && passes(now)),
    added: [...b.tests.values()].filter(({ id }) => !a.tests.has(id)).map((now) => ({ id: now.id, now })),
    gone: changes.filter(({ now }) => now === undefined),
    stillFailing: among((was, now) => fails(was) && fails(now)),
    unchanged: among(
      (was, now) => (fails(was) && fails(now)) || (skips(was) && skips(now)) || (passes(was) && passes(now)),
    ).length,
    notes: [...notesOf(a), ...notesOf(b), ...differences(a, b)],
  };
}

/** The lists that a reader is shown, with their titles. */
export const sectionsOf = (diff: Diff): readonly (readonly [title: string, changes: readonly Change[]])[] => [
  ["Newly failing", diff.newlyFailing],
  ["Fixed", diff.fixed],
  ["Newly skipped", diff.newlySkipped],
  ["No longer skipped", diff.noLongerSkipped],
  ["New", diff.added],
  ["Gone", diff.gone],
];

/** One line that counts everything. */
export function totalsOf(diff: Diff): string {
  const changed = sectionsOf(diff).flatMap(([title, { length }]) =>
    length === 0 ? [] : [`${length} ${title.toLowerCase()}`],
  );
  const failing = diff.stillFailing.length === 0 ? "" : ` (${diff.stillFailing.length} of them failing)`;
  return [...(changed.length === 0 ? ["nothing changed"] : changed), `${diff.unchanged} as before${failing}`].join(
    ", ",
  );
}

/** The score of both, and what lies between. */
export function scoresOf({ a, b }: Diff): string {
  const by = Math.round((b.score - a.score) * 10) / 10;
  const change = by === 0 ? "unchanged" : `${by > 0 ? "+" : ""}${by.toFixed(1)}`;
  return `${a.grade} ${a.score.toFixed(1)} -> ${b.grade} ${b.score.toFixed(1)} (${change})`;
}

// --- internal ---

function notesOf({ name, worded, recorded, score, grade, tests }: DiffSide): readonly string[] {
  const skipped = [...tests.values()].filter(({ status }) => isSkip(status)).length;
  return [
    ...(worded && tests.size > 0
      ? [`${name} comes from an older tool that marks no skips: they are read from the wording (${skipped} found).`]
      : []),
    ...(recorded.score === score
      ? []
      : [
          `${name} itself says ${recorded.grade} ${recorded.score}: here both are scored as this version does, skips left out (${grade} ${score.toFixed(1)}).`,
        ]),
  ];
}

function differences(a: DiffSide, b: DiffSide): readonly string[] {
  return [
    ...(a.url === b.url ? [] : [`The targets differ: ${a.url || "unknown"} and ${b.url || "unknown"}.`]),
    ...(a.transport === b.transport || a.transport === undefined || b.transport === undefined
      ? []
      : [`The transports differ (${a.transport} and ${b.transport}): some checks exist on one of them only.`]),
  ];
}
