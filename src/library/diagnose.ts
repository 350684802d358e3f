import { tool } from "../about.ts";
import { diagnose } from "../diagnose/diagnose.ts";
import type { Authorization, Diagnosis, Exhibit, Finding, Liveness, Stage } from "../model/diagnosis.ts";
import { diagnosisToJson } from "../report/diagnosis.ts";
import { createRedactor } from "../text/redact.ts";
import { gateOf } from "./addresses.ts";
import { type CommonOptions, endChildrenAtExit, timesOf } from "./options.ts";
import { reach } from "./reach.ts";
import type { ServerTarget } from "./target.ts";

/** Why a server doesn't start, connect or answer: what `mcp-assay diagnose --json` prints. */
export interface DiagnosisDocument {
  readonly schemaVersion: "1";
  readonly kind: "diagnosis";
  readonly toolVersion: string;
  readonly target: string;
  readonly transport: "http" | "stdio";
  /** Whether every stage passed. */
  readonly ok: boolean;
  /** What the command line would end with. */
  readonly exitCode: number;
  /** The answer, in one sentence. */
  readonly headline: string;
  /** The id of the cause; null where all stages passed without trouble. */
  readonly cause: string | null;
  /** What to do about it. */
  readonly mend: string | null;
  /** Why it is not whole: then it says what was seen so far, and no verdict. */
  readonly partial: "interrupted" | null;
  readonly stages: readonly Stage[];
  readonly evidence: readonly Exhibit[];
  /** What did no harm here and breaks other clients. */
  readonly troubles: readonly Finding[];
  readonly liveness: Liveness;
  /** How a client finds where to log in, where it is asked to. */
  readonly authorization: Authorization | null;
  /** The places that were asked. */
  readonly contacted: readonly string[];
  readonly durationMs: number;
}

/** How a diagnosis goes. */
export interface DiagnoseOptions extends CommonOptions {
  /** Told what is going on. */
  readonly onStatus?: (message: string) => void;
}

/** Finds out how far a client comes with a server, and why not farther. Throws only a TypeError, for a wrong argument. */
export async function diagnoseServer(server: ServerTarget, options: DiagnoseOptions = {}): Promise<DiagnosisDocument> {
  const { signal, onStatus } = options;
  const { target, secrets } = reach(server, options, gateOf(options.addresses ?? "any", options.lookup));
  const redact = createRedactor(secrets);
  endChildrenAtExit();
  const found = await diagnose({
    ...{ target, times: timesOf(options), clock: () => performance.now(), redact },
    ...(onStatus === undefined ? {} : { say: onStatus }),
    ...(signal === undefined ? {} : { signal }),
  });
  return JSON.parse(diagnosisToJson(found, { redact, tool: tool.version, exitCode: exitCodeOf(found) }));
}

// --- internal ---

const exitCodeOf = ({ refused, heard, ok }: Diagnosis): number => (refused ? 4 : heard ? (ok ? 0 : 1) : 3);
