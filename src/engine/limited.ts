import type { Transcript } from "../model/exchange.ts";
import type { Verdict } from "../model/report.ts";

/** What to tell of checks that a rate limit kept from measuring; undefined where there are none. */
export function limitWarning(verdicts: readonly Verdict[], transcript: Transcript): string | undefined {
  const limited = new Set(transcript.filter(({ http }) => http?.status === 429).map(({ n }) => n));
  const { length } = verdicts.filter(
    ({ outcome, evidence }) => outcome.status === "blocked" && evidence.some((n) => limited.has(n)),
  );
  if (length === 0) return undefined;
  const checks = length === 1 ? "1 check" : `${length} checks`;
  return `HTTP 429 (too many requests) kept ${checks} from being measured: lift the limit for this run, or run some areas at a time with --only.`;
}
