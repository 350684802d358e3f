import { afterAll, describe, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { checks } from "../checks/index.ts";
import { shards } from "../cli/shards.ts";
import { assess } from "../grade/grade.ts";
import { REVISIONS, type Row } from "../model/catalog.ts";
import type { Kind } from "../model/exchange.ts";
import type { Report } from "../model/report.ts";
import { revisions } from "../revisions/index.ts";
import { killAll } from "../wire/children.ts";
import { faultsOf } from "./faults.ts";
import { laboratory } from "./lab.ts";
import { failedIn, plan, type Tried } from "./matrix.ts";
import { attempt } from "./trial.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
const self = [process.execPath, main] as const;
const lab = laboratory(self, env, process.platform);
const MINUTES = 60_000;
const KINDS: readonly Kind[] = ["http", "stdio"];

afterAll(() => killAll(process.platform));

const statuses = (report: Report) => report.verdicts.map(({ row, outcome }) => [row.id, outcome.status]);
const passed = (report: Report) => statuses(report).flatMap(([id, status]) => (status === "pass" ? [id] : []));

for (const kind of KINDS) {
  describe(`the reference server over ${kind}`, () => {
    const plain = attempt(lab, { kind });

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
        expect(ids.length).toBe(kind === "http" ? 85 : 55);
      },
      2 * MINUTES,
    );

    for (const [name, world] of Object.entries({
      json: { json: true },
      stateless: { stateless: true },
      "of the older transport": { sse: true },
    })) {
      if (kind === "stdio") continue;
      test(
        `fails nothing when it is ${name}`,
        async () => {
          expect([...failedIn(await attempt(lab, { kind, world }))]).toEqual([]);
        },
        2 * MINUTES,
      );
    }

    for (const newest of ["2025-06-18", "2025-03-26", "2024-11-05"]) {
      test(
        `isn't punished for rules that came after ${newest}`,
        async () => {
          expect([...failedIn(await attempt(lab, { kind, world: { newest } }))]).toEqual([]);
        },
        2 * MINUTES,
      );
    }

    test(
      "passes no check of a capability when it declares nothing, and fails nothing",
      async () => {
        const report = await attempt(lab, { kind, world: { bare: true } });
        expect([...failedIn(report)]).toEqual([]);
        const needing = new Set(["tools", "resources", "prompts"]);
        expect(
          report.verdicts.filter(({ row, outcome }) => needing.has(row.area) && outcome.status !== "skipped"),
        ).toEqual([]);
        expect(
          passed(report).filter((id) =>
            /^(lifecycle-(logging|completions)|tools-|resources-|prompts-)/.test(String(id)),
          ),
        ).toEqual([]);
      },
      2 * MINUTES,
    );

    test(
      "passes only what the opening shows when it falls silent after it",
      async () => {
        const report = await attempt(lab, { kind, world: { mute: true } });
        const opening = new Set<unknown>([
          "transport-post",
          "transport-content-type-init",
          "lifecycle-proto-version",
          "lifecycle-server-info",
          "lifecycle-capabilities",
          "lifecycle-jsonrpc",
          "lifecycle-instructions",
          ...OPENINGS,
          ...ABSENCES,
        ]);
        expect(passed(report).filter((id) => !opening.has(id))).toEqual([]);
        expect(assess(report.verdicts).grade).toBe("F");
      },
      4 * MINUTES,
    );

    test(
      "is judged the same in any order and at any concurrency",
      async () => {
        const shuffle = (rows: readonly Row[]) => rows.toSorted((a, b) => order(a.id) - order(b.id));
        const other = await attempt(lab, { kind, shuffle, concurrency: 6 });
        expect(statuses(other)).toEqual(statuses(await plain));
      },
      2 * MINUTES,
    );
  });
}

/** Rows that judge openings of their own, or what the tester may do before any answer. */
const OPENINGS = ["lifecycle-version-negotiate", "security-session-entropy", "stdio-framing"];
/** Reviews of an absence pass and say how many messages they read. */
const ABSENCES = ["security-error-no-stacktrace", "security-error-no-internal-ip"];

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
          const { caught, innocent, why } = (await results()).get(key) ?? {};
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
