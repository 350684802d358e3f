/** One part of a document in forms of falling length, the fullest first. */
export type Forms = readonly [string, ...string[]];

/**
 * For each part the form, by index, in which all of them fit into `room` characters. Every part is first made a step
 * fuller, from the first on, before any is made two; where the shortest don't fit, they are taken all the same.
 */
export function fitting(parts: readonly Forms[], room: number): readonly number[] {
  const chosen = parts.map((forms) => forms.length - 1);
  let left = room - parts.reduce((sum, forms) => sum + (forms.at(-1) ?? "").length, 0);
  const steps = Math.max(0, ...chosen);
  for (let step = 0; step < steps; step++) {
    for (const [index, forms] of parts.entries()) {
      const now = chosen[index] ?? 0;
      if (now === 0) continue;
      const more = (forms[now - 1] ?? "").length - (forms[now] ?? "").length;
      // The reader is told of "the later ones": nobody who comes after may be fuller.
      if (more > left) break;
      left -= more;
      chosen[index] = now - 1;
    }
  }
  return chosen;
}
