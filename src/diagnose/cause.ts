import type { StageName } from "../model/diagnosis.ts";

/** What a recogniser found: the headline, and the mend where it depends on what was found. */
export interface Recognised {
  readonly headline: string;
  readonly mend?: string;
}

/** One cause of trouble. A new one is one entry in the table of its family. */
export interface Cause<E> {
  /** Unique; what `--json` calls it. */
  readonly id: string;
  /** The stages whose failure it can explain; "passed": it keeps none from passing, and breaks other clients. */
  readonly at: readonly StageName[] | "passed";
  readonly mend: string;
  /** Pure: reads the evidence. Undefined: it is not this. */
  recognise(evidence: E): Recognised | string | undefined;
}
