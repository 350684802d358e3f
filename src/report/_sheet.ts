import { isBacked } from "../model/catalog.ts";
import type { Report, Verdict } from "../model/report.ts";
import { createBounds } from "./_bounds.ts";
import { ending, exchangeOf } from "./_evidence.ts";
import { disclaimer, grouped, totals } from "./_words.ts";
import { documentOf, type ReportOptions } from "./document.ts";
import type { EvidenceDocument, ReportDocument, TestDocument } from "./json-contract.ts";

/** A failed or blocked test, with what its catalog doesn't claim. */
export interface Finding {
  readonly test: TestDocument;
  readonly verdict: Verdict;
  readonly disclaimer?: string;
}

/** A root cause and the tests that it keeps from being judged. */
export interface Blockage {
  readonly because: string;
  readonly by?: string;
  readonly findings: readonly [Finding, ...Finding[]];
}

/** The report as formats for readers show it: the document, sorted by what matters. Without secrets, not yet escaped. */
export interface Sheet {
  readonly document: ReportDocument;
  /** How the revision was found, where it wasn't pinned. */
  readonly revisionNote?: string;
  /** Name and version of the server. */
  readonly server: string;
  /** All counts on one line. */
  readonly totals: string;
  /** Required ones first. */
  readonly failures: readonly Finding[];
  readonly blockages: readonly Blockage[];
  readonly errors: readonly TestDocument[];
  /** Tests with a note that are no failures. */
  readonly notes: readonly (TestDocument & { readonly note: string })[];
  /** Skipped tests by their reason. */
  readonly skips: ReadonlyMap<string, readonly TestDocument[]>;
  /** `2 checks run on stdio only`; empty where there are none. */
  readonly elsewhere: string;
  /** What came, or how the exchange ended where nothing did. */
  answer(evidence: EvidenceDocument): string;
}

export function sheetOf(report: Report, options: ReportOptions): Sheet {
  const document = documentOf(report, options);
  const { text } = createBounds(options.redact);
  const findings = report.verdicts.flatMap((verdict, index): readonly Finding[] => {
    const test = document.tests[index];
    const mark = disclaimer(verdict);
    return test === undefined ? [] : [{ test, verdict, ...(mark === undefined ? {} : { disclaimer: mark }) }];
  });
  const of = (status: TestDocument["status"]) => findings.filter(({ test }) => test.status === status);
  const { name, version } = document.serverInfo;
  return {
    document,
    ...(report.revisionNote === undefined ? {} : { revisionNote: text(report.revisionNote) }),
    server: [name, version].filter((each) => each !== null).join(" ") || "unknown",
    totals: totals(report.verdicts),
    failures: of("fail").toSorted((a, b) => weight(b.verdict) - weight(a.verdict)),
    blockages: blockagesOf(of("blocked"), text),
    errors: of("error").map(({ test }) => test),
    notes: document.tests.flatMap((test) =>
      test.note === undefined || test.status === "fail" ? [] : [{ ...test, note: test.note }],
    ),
    skips: grouped(
      of("skipped").map(({ test }) => test),
      ({ details }) => details.replace(/^Skipped: /, ""),
    ),
    elsewhere: elsewhere(report),
    answer({ exchange, received }) {
      const found = received === "" ? exchangeOf(report.transcript, exchange) : undefined;
      return found === undefined ? received : `(${text(ending(found))})`;
    },
  };
}

/** Failures that the specification requires come first, then those that only the catalog does. */
export const weight = ({ row, required }: Verdict): number => (required ? (isBacked(row) ? 2 : 1) : 0);

/** What keeps a blocked row from being judged, as the name of its group. */
export const rootOf = ({ outcome }: Verdict): string =>
  outcome.status === "blocked" ? (outcome.by ?? outcome.because) : outcome.status;

/** Rows of the other transport, by number. */
export function elsewhere({ elsewhere: rows, transport }: Report): string {
  if (rows.length === 0) return "";
  const other = transport === "http" ? "stdio" : "HTTP";
  return `${rows.length} ${rows.length === 1 ? "check runs" : "checks run"} on ${other} only`;
}

// --- internal ---

function blockagesOf(findings: readonly Finding[], text: (written: string) => string): readonly Blockage[] {
  return [...grouped(findings, ({ verdict }) => rootOf(verdict)).values()].flatMap(([first, ...others]) => {
    if (first?.verdict.outcome.status !== "blocked") return [];
    const { because, by } = first.verdict.outcome;
    return [
      {
        because: text(because),
        ...(by === undefined ? {} : { by: text(by) }),
        findings: [first, ...others] as const,
      },
    ];
  });
}
