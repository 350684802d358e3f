import { assess, isFinding, isMeasured } from "../grade/grade.ts";
import { isObject } from "../model/json.ts";
import type { Report, Verdict } from "../model/report.ts";
import { type Redact, withoutUserInfo } from "../text/redact.ts";
import { exchangeOf, firstBytes, isCut, receivedText, sentText } from "./_evidence.ts";
import { details, warningsOf } from "./_words.ts";
import { repro, type Scene } from "./repro.ts";

export interface JsonOptions {
  readonly redact: Redact;
  /** The words of the command line, for the lines that repeat a request. */
  readonly command?: readonly string[];
}

/** The report as its documented JSON contract, version 1. */
export function toJson(report: Report, options: JsonOptions): string {
  const { redact } = options;
  const { grade, score, overall, measured, summary, categories } = assess(report.verdicts);
  const { server, environment, tool } = report;
  const scene: Scene = { ...options, transcript: report.transcript, url: report.url };
  const document = {
    schemaVersion: "1",
    specVersion: report.revision,
    toolVersion: tool.version,
    url: redact(withoutUserInfo(report.url)),
    timestamp: report.timestamp,
    grade,
    score,
    overall,
    summary,
    categories,
    tests: report.verdicts.map((verdict) => test(verdict, scene)),
    warnings: redacted(warningsOf(report.warnings), redact),
    serverInfo: redacted(
      {
        protocolVersion: server.protocolVersion,
        name: server.name,
        version: server.version,
        capabilities: server.capabilities ?? null,
      },
      redact,
    ),
    toolCount: server.tools?.length ?? 0,
    toolNames: redacted(server.tools ?? [], redact),
    resourceCount: server.resources?.length ?? 0,
    resourceNames: redacted(server.resources ?? [], redact),
    promptCount: server.prompts?.length ?? 0,
    promptNames: redacted(server.prompts ?? [], redact),
    coverage: { rows: report.rows, run: report.verdicts.length, measured },
    environment: {
      tool: tool.name,
      commit: tool.commit,
      runtime: environment.runtime,
      os: environment.os,
      arch: environment.arch,
      transport: report.transport,
    },
    ...(report.partial === undefined ? {} : { partial: redact(report.partial) }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const MOST_BYTES = 2048;

// The words of our own catalog are spared: a secret that equals one must not break the contract.
function test(verdict: Verdict, scene: Scene): unknown {
  const { row, outcome } = verdict;
  return {
    id: row.id,
    name: verdict.title,
    category: row.area,
    required: verdict.required,
    passed: !isFinding(verdict),
    skipped: !isMeasured(verdict),
    details: scene.redact(details(outcome)),
    durationMs: Math.round(verdict.ms),
    specRef: row.section,
    status: outcome.status,
    level: row.level,
    ...particulars(verdict, scene.redact),
    ...(isFinding(verdict) ? { evidence: verdict.evidence.flatMap((n) => evidence(n, scene)) } : {}),
  };
}

/** What only some outcomes have. */
function particulars({ outcome, fix }: Verdict, redact: Redact): Readonly<Record<string, string>> {
  switch (outcome.status) {
    case "pass":
      return outcome.note === undefined ? {} : { note: redact(outcome.note) };
    case "fail": {
      const { expected, actual, note } = outcome;
      return {
        ...(note === undefined ? {} : { note: redact(note) }),
        expected: redact(expected),
        actual: redact(actual),
        fix: redact(fix),
      };
    }
    case "blocked":
      return { fix: redact(fix), ...(outcome.by === undefined ? {} : { blockedBy: redact(outcome.by) }) };
    default:
      return {};
  }
}

function evidence(n: number, scene: Scene): readonly unknown[] {
  const exchange = exchangeOf(scene.transcript, n);
  if (exchange === undefined) return [];
  // Redacted before the cut, or half a secret could remain.
  const sent = scene.redact(sentText(exchange));
  const received = scene.redact(receivedText(exchange));
  const line = repro(exchange, scene);
  const kept = { sent: firstBytes(sent, MOST_BYTES), received: firstBytes(received, MOST_BYTES) };
  return [
    {
      exchange: n,
      sent: scene.redact(kept.sent),
      received: scene.redact(kept.received),
      ...(exchange.http === undefined ? {} : { httpStatus: exchange.http.status }),
      truncated: isCut(exchange) || kept.sent !== sent || kept.received !== received,
      ...(line === undefined ? {} : { repro: scene.redact(line) }),
    },
  ];
}

/** The value with every string in it redacted, names of members too: a server chooses those of its capabilities. */
function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redacted(item, redact)]));
}
