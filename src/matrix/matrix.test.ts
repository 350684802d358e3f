import { afterAll, describe, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { checks } from "../checks/index.ts";
import { binary } from "../cli/binary.fixture.ts";
import { shards } from "../cli/shards.ts";
import { assess } from "../grade/grade.ts";
import { REVISIONS, type RevisionId, type Row } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import type { World } from "../model/fault.ts";
import type { Report } from "../model/report.ts";
import { revisions } from "../revisions/index.ts";
import { killAll } from "../wire/children.ts";
import { faultsOf } from "./faults.ts";
import { laboratory } from "./lab.ts";
import { failedIn, plan, type Tried } from "./matrix.ts";
import { attempt } from "./trial.ts";

const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
// The compiled binary: it starts in a fraction of the time, and is what proves itself to users.
const self = [binary()] as const;
const MINUTES = 60_000;
const KINDS: readonly Kind[] = ["http", "stdio"];

afterAll(() => killAll(process.platform));

const statuses = (report: Report) => report.verdicts.map(({ row, outcome }) => [row.id, outcome.status] as const);
const passed = (report: Report): readonly string[] =>
  statuses(report).flatMap(([id, status]) => (status === "pass" ? [id] : []));

for (const revision of REVISIONS) {
  const lab = laboratory(self, env, process.platform, revision);
  for (const kind of KINDS) {
    describe(`the reference server of ${revision} over ${kind}`, () => {
      const plain = attempt(lab, { kind, patient: true });

      test(
        "fails nothing and gets A with 100",
        async () => {
          const report = await plain;
          expect([...failedIn(report)]).toEqual([]);
          expect(report.verdicts.filter(({ outcome }) => outcome.status === "blocked")).toEqual([]);
          const { grade, score } = assess(report.verdicts);
          expect([grade, score]).toEqual(["A", 100]);
          expect(report.warnings.filter((warning) => !warning.startsWith("Tools never called"))).toEqual([]);
        },
        2 * MINUTES,
      );

      test(
        "has one verdict per row of the transport, in catalog order",
        async () => {
          const ids = lab.revision.catalog.filter((row) => row.transports.includes(kind)).map((row) => row.id);
          expect((await plain).verdicts.map(({ row }) => row.id)).toEqual(ids);
          expect(ids.length).toBe(COUNTS[revision][kind]);
        },
        2 * MINUTES,
      );

      for (const world of WORLDS[revision]) {
        if (kind === "stdio" && world.newest === undefined && world.era === undefined) continue;
        test(
          `fails nothing in the world ${JSON.stringify(world)}`,
          async () => {
            expect([...failedIn(await attempt(lab, { kind, world, patient: true }))]).toEqual([]);
          },
          2 * MINUTES,
        );
      }

      test(
        "passes no check of a capability when it declares nothing, and fails nothing",
        async () => {
          const report = await attempt(lab, { kind, world: { bare: true }, patient: true });
          expect([...failedIn(report)]).toEqual([]);
          const needing = /^(lifecycle-(logging|completions)|tools-|resources-|prompts-)/;
          expect(passed(report).filter((id) => needing.test(id))).toEqual([]);
        },
        2 * MINUTES,
      );

      test(
        "passes only what the opening shows when it falls silent after it",
        async () => {
          const report = await attempt(lab, { kind, world: { mute: true }, concurrency: 8 });
          expect(passed(report).filter((id) => !OPENING[revision].has(id))).toEqual([]);
          expect(["D", "F"]).toContain(assess(report.verdicts).grade);
        },
        5 * MINUTES,
      );

      test(
        "is judged the same in any order and at any concurrency",
        async () => {
          const shuffle = (rows: readonly Row[]) => rows.toSorted((a, b) => order(a.id) - order(b.id));
          const other = await attempt(lab, { kind, shuffle, concurrency: 6, patient: true });
          expect(statuses(other)).toEqual(statuses(await plain));
        },
        3 * MINUTES,
      );
    });
  }
}

const COUNTS = { "2025-11-25": { http: 85, stdio: 55 }, "2026-07-28": { http: 99, stdio: 75 } } as const;

/** Worlds whose behaviour is right. */
const WORLDS: Readonly<Record<RevisionId, readonly World[]>> = {
  "2025-11-25": [
    { json: true },
    { stateless: true },
    { sse: true },
    { era: "dual" },
    { newest: "2025-06-18" },
    { newest: "2025-03-26" },
    { newest: "2024-11-05" },
  ],
  "2026-07-28": [{ json: true }, { era: "dual" }],
};

/** What a server passes that answers its opening and nothing else; the reviews of an absence say how little they read. */
const OPENING: Readonly<Record<RevisionId, ReadonlySet<string>>> = {
  "2025-11-25": new Set([
    "transport-post",
    "transport-content-type-init",
    "stdio-framing",
    "lifecycle-proto-version",
    "lifecycle-server-info",
    "lifecycle-capabilities",
    "lifecycle-jsonrpc",
    "lifecycle-instructions",
    "lifecycle-version-negotiate",
    "security-session-entropy",
    "security-error-no-stacktrace",
    "security-error-no-internal-ip",
  ]),
  // Here every server/discover is answered, so that whatever asks only that is.
  "2026-07-28": new Set([
    "transport-post",
    "transport-content-type",
    "transport-content-type-reject",
    "transport-batch-reject",
    "transport-concurrent",
    "transport-get-removed",
    "transport-delete-removed",
    "transport-session-ignored",
    "transport-header-version-required",
    "transport-header-version-mismatch",
    "transport-header-method-required",
    "transport-header-method-mismatch",
    "transport-header-case-insensitive",
    "transport-no-server-requests",
    "stdio-framing",
    "stdio-unicode",
    "stdio-cancellation",
    "lifecycle-discover",
    "lifecycle-discover-versions",
    "lifecycle-discover-caching",
    "lifecycle-jsonrpc",
    "lifecycle-id-match",
    "lifecycle-string-id",
    "lifecycle-capabilities",
    "lifecycle-server-info",
    "lifecycle-instructions",
    "lifecycle-meta-required",
    "lifecycle-meta-protocol-version-required",
    "lifecycle-meta-client-capabilities-required",
    "lifecycle-meta-client-info-optional",
    "lifecycle-version-unsupported",
    "lifecycle-dual-era",
    "lifecycle-log-level-gating",
    "lifecycle-meta-tolerance",
    "error-invalid-jsonrpc",
    "error-invalid-json",
    "error-parse-code",
    "error-invalid-request-code",
    "error-id-echo",
    "error-retired-codes",
    "schema-result-type",
    "schema-no-input-required-on-lists",
    "schema-wire-valid",
    "security-cors-headers",
    "security-origin-validation",
    "security-error-no-stacktrace",
    "security-error-no-internal-ip",
  ]),
};

/** Some order that isn't the catalog's, the same in every run. */
const order = (id: string): number => [...id].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 10_007, 7);

describe("every fault is caught by its check, and no innocent check fails", () => {
  const breadth = process.env["MATRIX"] === "all" ? "all" : "ci";
  // Started by whichever test comes first, so that a filtered run starts nothing.
  let started: Promise<ReadonlyMap<string, Tried>> | undefined;
  const results = () => {
    started ??= shards(
      self,
      ["--breadth", breadth],
      availableParallelism(),
      new AbortController().signal,
      async () => {},
    ).then((tried) => new Map(tried.map((each) => [`${each.fault} in ${each.revision} over ${each.transport}`, each])));
    return started;
  };

  for (const revision of REVISIONS) {
    for (const { fault, kind, whole } of plan(laboratory(self, env, process.platform, revision), {
      breadth,
      only: [],
      kinds: KINDS,
    })) {
      const key = `${fault.id} in ${revision} over ${kind}`;
      test(
        `${key}${whole ? "" : " (own check)"}: a server that ${fault.fault.name}`,
        async () => {
          const { caught, innocent, why, hurried } = (await results()).get(key) ?? {};
          if (hurried !== undefined) console.log(`${key} was tried twice; at first: ${hurried.join("; ")}`);
          expect({ caught, innocent, why }).toEqual({ caught: true, innocent: [], why: [] });
        },
        60 * MINUTES,
      );
    }
  }

  test("each check has a fault or only informs, and each name is unique", () => {
    const informing = new Set(
      REVISIONS.flatMap((id) => revisions[id].catalog.filter((row) => row.informational === true).map((row) => row.id)),
    );
    expect(checks.filter((check) => check.faults.length === 0 && !informing.has(check.id))).toEqual([]);
    const names = faultsOf().map(({ fault }) => fault.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
