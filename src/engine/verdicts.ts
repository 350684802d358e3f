import { capabilities } from "../facts/opening.ts";
import type { Row } from "../model/catalog.ts";
import type { Check } from "../model/check.ts";
import type { Transcript } from "../model/exchange.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Progress, Verdict } from "../model/report.ts";
import type { Recorder } from "../wire/recorder.ts";
import type { Tried } from "./attempts.ts";
import type { Peek } from "./bench.ts";
import { declares, type Judgement } from "./judge.ts";

interface Bench {
  readonly rows: readonly Row[];
  readonly checks: ReadonlyMap<string, Check>;
  readonly peek: Peek;
  readonly recorder: Recorder;
  readonly progress?: Progress;
}

/** The verdicts of a run as they fall: one a row. */
export function createVerdicts({ rows, checks, peek, recorder, progress }: Bench) {
  const verdicts = new Map<Row, Verdict>();
  return {
    has: (row: Row) => verdicts.has(row),
    /** In catalog order. */
    all: (): readonly Verdict[] => rows.flatMap((row) => verdicts.get(row) ?? []),
    async settle(row: Row, outcome: Outcome, judged?: Tried): Promise<void> {
      const check = checks.get(row.id);
      const declared = await peek(capabilities);
      const verdict: Verdict = {
        row,
        title: check?.title ?? row.requirement,
        why: check?.why ?? "",
        fix: check?.fix ?? "",
        required: typeof row.required === "boolean" ? row.required : declares(declared, row.required.capability),
        outcome,
        evidence: evidenceOf(outcome, judged, check, recorder.transcript()),
        ms: judged?.ms ?? 0,
        ...(judged === undefined || judged.attempts < 2 ? {} : { attempts: judged.attempts }),
      };
      verdicts.set(row, verdict);
      progress?.(verdict, verdicts.size, rows.length, recorder.transcript);
    },
  };
}

// --- internal ---

function evidenceOf(
  outcome: Outcome,
  judged: Judgement | undefined,
  check: Check | undefined,
  transcript: Transcript,
): readonly number[] {
  const cited = "cites" in outcome ? (outcome.cites ?? []) : [];
  if (cited.length > 0) return cited;
  const sent = judged?.sent ?? [];
  if (sent.length > 0) return sent.slice(-3).reverse();
  const facts = new Set(Object.values(check?.needs ?? {}).map((fact) => `fact:${fact.name}`));
  const learned = transcript.flatMap((exchange) => (facts.has(exchange.sender) ? [exchange.n] : [])).slice(0, 3);
  if (learned.length > 0 || (outcome.status !== "fail" && outcome.status !== "blocked")) return learned;
  // What kept it from anything of its own, or the nearest to it.
  const opening = transcript.find(({ sender }) => sender === "opening") ?? transcript[0];
  return opening === undefined ? [] : [opening.n];
}
