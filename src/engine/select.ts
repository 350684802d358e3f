import { AREAS, type Catalog, type Row } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import { nearest } from "../text/nearest.ts";

/** Which rows a run judges: areas and exact ids; skip wins. */
export interface Filters {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

export interface Selection {
  /** In catalog order. */
  readonly rows: readonly Row[];
  /** Rows that the filters keep but that run on the other transport only. */
  readonly elsewhere: readonly Row[];
  /** Filter values that say nothing here, in words. */
  readonly warnings: readonly string[];
}

export function select(catalog: Catalog, kind: Kind, revision: string, { only, skip }: Filters): Selection {
  const names = (row: Row, values: readonly string[]) => values.includes(row.id) || values.includes(row.area);
  const kept = catalog.filter((row) => (only.length === 0 || names(row, only)) && !names(row, skip));
  const rows = kept.filter((row) => row.transports.includes(kind));
  const areas: readonly string[] = AREAS;
  const unknown = (flag: string, values: readonly string[]) =>
    values
      .filter((value) => !areas.includes(value) && !catalog.some((row) => row.id === value))
      .map((value) => {
        const meant = nearest(value, [...areas, ...catalog.map((row) => row.id)], 2);
        const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
        return `${flag} ${value} matches no area and no check of ${revision}${hint}`;
      });
  const idle = only
    .filter((value) => catalog.some((row) => names(row, [value])))
    .filter((value) => !catalog.some((row) => names(row, [value]) && row.transports.includes(kind)))
    .map((value) => `--only ${value} matches no check that runs over ${kind}`);
  return {
    rows,
    elsewhere: kept.filter((row) => !row.transports.includes(kind)),
    warnings: [...unknown("--only", only), ...unknown("--skip", skip), ...idle],
  };
}
