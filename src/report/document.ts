import { assess, isFinding, isMeasured } from "../grade/grade.ts";
import type { Expected, Report, Verdict } from "../model/report.ts";
import { type Redact, withoutUserInfo } from "../text/redact.ts";
import { createBounds, isObjectLike } from "./_bounds.ts";
import { exchangeOf, firstBytes, isCut, receivedText, sentText } from "./_evidence.ts";
import { details, lastLines, warningsOf } from "./_words.ts";
import { type EvidenceDocument, type ReportDocument, SCHEMA_VERSION, type TestDocument } from "./json-contract.ts";
import { repro, type Scene } from "./repro.ts";

/** What every format needs beside the report. */
export interface ReportOptions {
  readonly redact: Redact;
  /** stdio: the words of the command line; HTTP: the options of curl that reach the server as the run did. */
  readonly reach?: readonly string[];
}

/** The report as its documented contract: without secrets, every text of the server capped. Other formats are made from it. */
export function documentOf(report: Report, options: ReportOptions): ReportDocument {
  const { redact } = options;
  const { grade, score, overall, measured, summary, categories } = assess(report.verdicts);
  const { server, environment, tool } = report;
  const scene: Scene = { ...options, transcript: report.transcript, url: report.url };
  const { text, name, names, value } = createBounds(redact);
  const capabilities = value(server.capabilities);
  return {
    schemaVersion: SCHEMA_VERSION,
    specVersion: report.revision,
    toolVersion: tool.version,
    url: text(withoutUserInfo(report.url)),
    timestamp: report.timestamp,
    grade,
    score,
    overall,
    summary,
    categories,
    tests: report.verdicts.map((verdict) => testOf(verdict, scene)),
    warnings: warningsOf(report.warnings.map((each) => text(each))),
    serverInfo: {
      protocolVersion: orNull(server.protocolVersion, name),
      name: orNull(server.name, name),
      version: orNull(server.version, name),
      capabilities: isObjectLike(capabilities) ? capabilities : null,
    },
    toolCount: server.tools?.length ?? 0,
    toolNames: names(server.tools),
    resourceCount: server.resources?.length ?? 0,
    resourceNames: names(server.resources),
    promptCount: server.prompts?.length ?? 0,
    promptNames: names(server.prompts),
    coverage: { rows: report.rows, run: report.verdicts.length, measured },
    environment: {
      tool: tool.name,
      commit: tool.commit,
      runtime: environment.runtime,
      os: environment.os,
      arch: environment.arch,
      transport: report.transport,
    },
    ...(report.partial === undefined ? {} : { partial: text(report.partial) }),
    ...(report.trouble === undefined ? {} : { trouble: text(report.trouble) }),
    ...(report.trouble === undefined || report.stderrTail === undefined
      ? {}
      : {
          stderrTail: lastLines(redact(report.stderrTail), 20)
            .map((line) => text(line))
            .join("\n"),
        }),
    ...(report.expected === undefined ? {} : { expectedFailures: expectedOf(report.expected, text) }),
  };
}

/** One verdict as a test of the contract. */
export function testOf(verdict: Verdict, scene: Scene): TestDocument {
  const { row, outcome } = verdict;
  const { text } = createBounds(scene.redact);
  return {
    // The words of our own catalog are spared: a secret that equals one must not break the contract.
    id: row.id,
    name: verdict.title,
    category: row.area,
    required: verdict.required,
    passed: !isFinding(verdict),
    skipped: !isMeasured(verdict),
    details: text(details(outcome)),
    durationMs: Math.round(verdict.ms),
    specRef: row.section,
    status: outcome.status,
    level: row.level,
    ...particulars(verdict, text),
    ...(verdict.attempts === undefined ? {} : { attempts: verdict.attempts }),
    evidence: isFinding(verdict) ? verdict.evidence.flatMap((n) => evidenceOf(n, scene)) : [],
  };
}

// --- internal ---

const MOST_BYTES = 2048;
type Say = (text: string) => string;

const orNull = (value: string | null, text: Say): string | null => (value === null ? null : text(value));

/** What only some outcomes have. */
function particulars({ outcome, fix }: Verdict, text: Say): Partial<TestDocument> {
  switch (outcome.status) {
    case "pass":
      return outcome.note === undefined ? {} : { note: text(outcome.note) };
    case "fail": {
      const { expected, actual, note } = outcome;
      return {
        ...(note === undefined ? {} : { note: text(note) }),
        expected: text(expected),
        actual: text(actual),
        fix: text(fix),
      };
    }
    case "blocked":
      return { fix: text(fix), ...(outcome.by === undefined ? {} : { blockedBy: text(outcome.by) }) };
    default:
      return {};
  }
}

function evidenceOf(n: number, scene: Scene): readonly EvidenceDocument[] {
  const { redact, transcript } = scene;
  const exchange = exchangeOf(transcript, n);
  if (exchange === undefined) return [];
  // Redacted before the cut, or half a secret could remain; and after it, or the cut could make one.
  const sent = redact(sentText(exchange));
  const received = redact(receivedText(exchange));
  const line = repro(exchange, scene);
  const kept = { sent: firstBytes(sent, MOST_BYTES), received: firstBytes(received, MOST_BYTES) };
  return [
    {
      exchange: n,
      sent: redact(kept.sent),
      received: redact(kept.received),
      ...(exchange.http === undefined ? {} : { httpStatus: exchange.http.status }),
      truncated: isCut(exchange) || kept.sent !== sent || kept.received !== received,
      ...(line === undefined ? {} : { repro: redact(line) }),
    },
  ];
}

const expectedOf = ({ file, accepted, stale, unexpected }: Expected, text: Say) => {
  const entry = <T extends { readonly reason: string }>(each: T): T => ({ ...each, reason: text(each.reason) });
  return { file: text(file), accepted: accepted.map(entry), stale: stale.map(entry), unexpected };
};
