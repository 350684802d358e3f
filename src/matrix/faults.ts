import { checks } from "../checks/index.ts";
import type { Check } from "../model/check.ts";
import type { Fault } from "../model/fault.ts";

/** A fault with its id, `<check-id>/<n>`, n from 1. */
export interface NamedFault {
  readonly id: string;
  readonly check: Check;
  readonly fault: Fault;
}

export const faultsOf = (among: readonly Check[] = checks): readonly NamedFault[] =>
  among.flatMap((check) => check.faults.map((fault, index) => ({ id: `${check.id}/${index + 1}`, check, fault })));
