import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { faultsOf, type NamedFault } from "../matrix/faults.ts";
import { laboratory } from "../matrix/lab.ts";
import { attempt } from "../matrix/trial.ts";
import type { RevisionId } from "../model/catalog.ts";
import { listen } from "../reference/http.ts";
import { createReference } from "../reference/server.ts";
import { killAll } from "../wire/children.ts";
import { validDocument } from "./_valid.ts";
import { toJson } from "./json.ts";
import type { EvidenceDocument } from "./json-contract.ts";

const able = process.platform !== "win32" && Bun.which("curl") !== null;
if (!able) console.warn("SKIPPED: lines that repeat a request. There is no curl, or no POSIX shell.");

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const self = [process.execPath, main] as const;
const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
afterAll(() => killAll(process.platform));

/** Everything that the line prints, in a shell that knows nothing of us. */
const printed = (line: string): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn("sh", ["-c", line], { env, stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.on("close", () => resolve(out));
  });

/** What a reader compares with the report: the last status, and the messages without blanks. */
const seen = (output: string, { httpStatus, received }: EvidenceDocument): readonly unknown[] => {
  const status = [...output.matchAll(/^HTTP\/1\.1 (\d+)/gm)].at(-1)?.[1];
  const messages = received.split("\n").filter((line) => line !== "");
  return [httpStatus === undefined ? undefined : Number(status), messages.map((each) => output.includes(each))];
};

const evidenceOf = async (kind: "http" | "stdio", revision: RevisionId, named: NamedFault) => {
  const lab = laboratory(self, env, process.platform, revision);
  const report = await attempt(lab, { kind, faults: [named], only: [named.check.id] });
  const { tests } = validDocument(toJson(report, { redact: (text) => text }));
  const [shown] = tests.find(({ status }) => status === "fail")?.evidence ?? [];
  if (shown?.repro === undefined) throw new Error(`${named.id} left no line to repeat`);
  return { ...shown, repro: shown.repro };
};

const named = (id: string): NamedFault => {
  const found = faultsOf().find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no fault ${id}`);
  return found;
};

const CASES: readonly (readonly ["http" | "stdio", RevisionId, string])[] = [
  ["http", "2025-11-25", "tools-call-unknown/1"],
  ["http", "2025-11-25", "transport-session-invalid/5"],
  ["http", "2025-11-25", "transport-content-type-reject/1"],
  ["http", "2026-07-28", "transport-header-method-mismatch/4"],
  ["http", "2026-07-28", "lifecycle-discover/6"],
  ["http", "2026-07-28", "error-parse-code/1"],
  ["stdio", "2025-11-25", "lifecycle-ping/2"],
  ["stdio", "2025-11-25", "error-method-code/2"],
  ["stdio", "2026-07-28", "resources-not-found/5"],
  ["stdio", "2026-07-28", "lifecycle-meta-required/1"],
];

describe("the line of a failure shows the defect to whoever runs it, and a correct server doesn't", () => {
  for (const [kind, revision, id] of CASES) {
    test.skipIf(!able)(
      `${id} of ${revision} over ${kind}`,
      async () => {
        const evidence = await evidenceOf(kind, revision, named(id));
        const right = [evidence.httpStatus, evidence.received.split("\n").map(() => true)];
        if (kind === "stdio") {
          const [broken, correct] = await Promise.all([
            printed(evidence.repro),
            printed(evidence.repro.replace(` --fault ${id}`, "")),
          ]);
          expect(evidence.repro).toContain(` --fault ${id}`);
          expect(seen(broken, evidence)).toEqual(right);
          expect(seen(correct, evidence)).not.toEqual(right);
          return;
        }
        const era = revision === "2026-07-28" ? "modern" : "legacy";
        const servers = [[named(id).fault], []].map((faults) => listen(createReference({ era }, faults), 0));
        for (const [index, started] of servers.entries()) {
          const { url, close } = await started;
          const output = await printed(evidence.repro.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, new URL(url).origin));
          if (index === 0) expect(seen(output, evidence)).toEqual(right);
          else expect(seen(output, evidence)).not.toEqual(right);
          await close();
        }
      },
      90_000,
    );
  }
});
