import type { Accepted, Expected, Verdict } from "../model/report.ts";
import { isFinding } from "./grade.ts";

/**
 * Holds the entries that the user accepts against the verdicts of a run. `today` is YYYY-MM-DD; an entry holds through
 * its last day. Rows that didn't run or measured nothing say nothing of their entries.
 */
export function expectedOf(
  verdicts: readonly Verdict[],
  entries: readonly Accepted[],
  { file, today }: { readonly file: string; readonly today: string },
): Expected {
  const byId = new Map(verdicts.map((verdict) => [verdict.row.id, verdict]));
  const judged = entries.flatMap((entry) => {
    const verdict = byId.get(entry.id);
    return verdict === undefined ? [] : [{ entry, verdict }];
  });
  const isOver = ({ expires }: Accepted) => expires !== undefined && today > expires;
  const listed = new Set(entries.map(({ id }) => id));
  return {
    file,
    accepted: judged.flatMap(({ entry, verdict }) => (isFinding(verdict) && !isOver(entry) ? [entry] : [])),
    stale: judged.flatMap(({ entry, verdict }) => {
      const passes = verdict.outcome.status === "pass";
      if (!passes && !(isFinding(verdict) && isOver(entry))) return [];
      return [{ ...entry, because: passes ? ("passes" as const) : ("expired" as const) }];
    }),
    unexpected: verdicts.flatMap((verdict) =>
      isFinding(verdict) && !listed.has(verdict.row.id) ? [verdict.row.id] : [],
    ),
  };
}
