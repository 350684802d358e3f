/**
 * The candidate nearest to a misspelt word, if one is near enough to be meant: a third of its letters may be wrong, and
 * no more than `most` of them, where candidates are much alike. Capitals count as the small letters that they are of.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  // Nothing that long is a slip of the hand, and a stranger's word may be of any length.
  if (word.length > 100) return undefined;
  // Of a single letter nothing would be left: any other is as near.
  if (word.length < 2) return undefined;
  const limit = Math.min(most, Math.max(1, Math.ceil(word.length / 3)));
  const scored = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((each) => each.distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return scored[0]?.candidate;
}

// --- internal ---

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
