import type { Facets } from "./flat.ts";

/** A number near 1 inside the bounds of a schema; another one for another `index`, where there is one. */
export function sampleNumber(facets: Facets, whole: boolean, index: number): number {
  const { multipleOf } = facets;
  const least = bound(facets, "minimum", "exclusiveMinimum", Math.max) ?? { at: Number.NEGATIVE_INFINITY, open: false };
  const most = bound(facets, "maximum", "exclusiveMaximum", Math.min) ?? { at: Number.POSITIVE_INFINITY, open: false };
  const fits = (value: number) =>
    (least.open ? value > least.at : value >= least.at) && (most.open ? value < most.at : value <= most.at);
  const start = Math.min(Math.max(1, least.at), most.at);
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : whole ? 1 : undefined;
  if (step === undefined) return between(start, least.at, most.at, index, fits);
  const first = Math.ceil(start / step);
  const found: number[] = [];
  for (let n = 0; n < TRIES && found.length <= index; n += 1) {
    // Upwards from the start, then downwards from it.
    const value = (n < TRIES / 2 ? first + n : first - 1 - (n - TRIES / 2)) * step;
    if (fits(value) && Number.isInteger(value / step) && (!whole || Number.isInteger(value))) found.push(value);
  }
  return found[index] ?? found[0] ?? start;
}

const TRIES = 2000;

function between(start: number, least: number, most: number, index: number, fits: (value: number) => boolean): number {
  const low = Number.isFinite(least) ? least : Math.min(start, most - 1);
  const high = Number.isFinite(most) ? most : Math.max(start, low) + 1;
  const inner = low + ((high - low) * (index + 1)) / (index + 2);
  return [start + index, inner].find(fits) ?? start;
}

interface Bound {
  readonly at: number;
  readonly open: boolean;
}

/** Until draft-06 an exclusive bound was a flag on the other. */
function bound(
  facets: Facets,
  closed: string,
  open: string,
  narrower: (a: number, b: number) => number,
): Bound | undefined {
  const [at, beyond] = [facets[closed], facets[open]];
  if (typeof at !== "number") return typeof beyond === "number" ? { at: beyond, open: true } : undefined;
  if (typeof beyond !== "number") return { at, open: beyond === true };
  return { at: narrower(at, beyond), open: narrower(at, beyond) === beyond };
}
