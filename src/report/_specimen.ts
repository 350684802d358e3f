import type { Row } from "../model/catalog.ts";
import { httpReply } from "../model/exchange.fixture.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Report, Verdict } from "../model/report.ts";

const SPEC = "https://modelcontextprotocol.io/specification/2025-11-25";

/** A row, made by hand for tests. */
export const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  area: "tools",
  transports: ["http", "stdio"],
  required: true,
  level: "MUST",
  section: `${SPEC}/server/tools#calling-tools`,
  requirement: `What ${id} asks.`,
  ...more,
});

export const verdict = (row: Row, outcome: Outcome, more: Partial<Verdict> = {}): Verdict => ({
  row,
  title: `The title of ${row.id}`,
  why: "Because.",
  fix: `Mend ${row.id}.`,
  required: row.required === true,
  outcome,
  evidence: "cites" in outcome ? (outcome.cites ?? []) : [],
  ms: 1.6,
  ...more,
});

export const exchange = (n: number, more: Partial<Exchange> = {}): Exchange => ({
  n,
  session: 1,
  sender: "tools-call-unknown",
  sent: { text: `{"jsonrpc":"2.0","id":${n},"method":"ping"}` },
  received: [],
  end: "reply",
  ms: 3,
  ...more,
});

export const report = (verdicts: readonly Verdict[], more: Partial<Report> = {}): Report => ({
  revision: "2025-11-25",
  transport: "http",
  url: "https://example.com/mcp",
  timestamp: "2026-01-02T03:04:05.000Z",
  verdicts,
  elsewhere: [],
  rows: 88,
  warnings: [],
  server: {
    protocolVersion: "2025-11-25",
    name: "demo",
    version: "1.2.3",
    capabilities: { tools: {} },
    tools: ["echo"],
    resources: null,
    prompts: [],
  },
  transcript: [],
  heard: true,
  refused: false,
  tool: { name: "mcp-assay", version: "0.1.0", commit: "abc1234" },
  environment: { runtime: "bun 1.4.5", os: "linux", arch: "x64" },
  ms: 12,
  ...more,
});

/** An HTTP exchange that posted `text` in a session. */
export const posted = (n: number, text: string, answer: string, more: Partial<Exchange> = {}): Exchange =>
  exchange(n, {
    sent: {
      text,
      http: {
        method: "POST",
        url: "https://example.com/mcp",
        headers: [
          ["Content-Type", "application/json"],
          ["Accept", "application/json, text/event-stream"],
        ],
      },
    },
    received: answer === "" ? [] : [{ text: answer, from: "body", at: 1 }],
    http: httpReply(200, [], answer),
    ...more,
  });
