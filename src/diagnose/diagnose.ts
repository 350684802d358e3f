import { isAuthorizationRefusal } from "../engine/attribution.ts";
import { type Target, type Times, viewOf } from "../engine/context.ts";
import { onAbort } from "../engine/interruption.ts";
import type { Diagnosis, Finding, Stage } from "../model/diagnosis.ts";
import type { Redact } from "../text/redact.ts";
import { createRecorder } from "../wire/recorder.ts";
import type { Cause } from "./cause.ts";
import { httpCauses, stdioCauses } from "./causes/index.ts";
import type { Evidence } from "./evidence.ts";
import { exhibitsOf } from "./exhibits.ts";
import { examineHttp } from "./http.ts";
import { livenessOf } from "./liveness.ts";
import { talksOf } from "./progress.ts";
import { withoutSecrets } from "./redacted.ts";
import { stagesOf } from "./stages.ts";
import { type Bench, examineStdio } from "./stdio.ts";

export interface DiagnoseOptions {
  readonly target: Target;
  readonly times: Times;
  /** Names of the environment's proxy variables that stand for the target's scheme. */
  readonly proxyVariables?: readonly string[];
  /** Told what is going on, for whoever waits. */
  readonly say?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  /** Takes secrets out of what the server wrote, before anything is cut. */
  readonly redact: Redact;
}

/** Finds out how far a client comes with the target, and why not farther. Never throws for what the server does. */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const { target, times, signal } = options;
  const recorder = createRecorder(options.clock);
  const { stopped, off } = onAbort(signal, recorder);
  const common = { recorder, times, say: options.say ?? (() => {}), stopped };
  const evidence =
    target.kind === "stdio"
      ? await examineStdio({ ...common, target })
      : await examineHttp({ ...common, target } satisfies Bench, options.proxyVariables ?? []);
  off();
  const asked = recorder
    .transcript()
    .flatMap(({ sent }) => (sent.http === undefined ? [] : [new URL(sent.http.url).origin]));
  const first = evidence.kind === "http" ? [evidence.url.origin] : [];
  const rest = { contacted: [...new Set([...first, ...asked])], ms: recorder.now() };
  const found = concluded(withoutSecrets(evidence, options.redact), target);
  return signal?.aborted === true ? { ...interrupted(found), ...rest } : { ...found, ...rest };
}

type Concluded = Omit<Diagnosis, "contacted" | "ms">;

/** What the evidence comes to. Pure. */
export function concluded(evidence: Evidence, target: Target): Concluded {
  const stages = stagesOf(evidence);
  const failed = stages.find(({ state }) => state === "failed");
  const { cause, troubles } =
    evidence.kind === "stdio" ? recognised(stdioCauses, evidence, failed) : recognised(httpCauses, evidence, failed);
  const [trouble, ...others] = troubles;
  // Where every stage passes, the first thing that breaks others is what there is to say.
  const first = failed === undefined ? trouble : cause;
  const view = viewOf(target);
  const exchanges = talksOf(evidence).map(({ opened }) => opened.exchange);
  const authorization = evidence.kind === "http" ? evidence.authorization : undefined;
  return {
    target: evidence.kind === "http" ? evidence.url.href : evidence.words.join(" "),
    transport: evidence.kind,
    ok: failed === undefined,
    headline: headlineOf(failed, first),
    ...(first === undefined ? {} : { cause: first.cause }),
    ...(first === undefined ? {} : { mend: first.mend }),
    stages,
    evidence: exhibitsOf(evidence),
    troubles: failed === undefined ? others : troubles,
    liveness: livenessOf(evidence, first?.cause),
    ...(authorization === undefined ? {} : { authorization }),
    heard:
      evidence.kind === "stdio"
        ? evidence.runs.some(({ heard, how }) => heard && how !== "framed")
        : talksOf(evidence).some(({ heard }) => heard),
    refused: exchanges.length > 0 && exchanges.every((exchange) => isAuthorizationRefusal(exchange, view)),
  };
}

// --- internal ---

/** What was seen up to an interruption: the processes died of it, so nothing is concluded from how. */
const interrupted = ({ cause: _, mend: __, ...found }: Concluded): Concluded => ({
  ...found,
  ok: false,
  headline: "Interrupted before it was known what is wrong",
  partial: "interrupted",
  troubles: [],
  liveness: { class: "unknown", tries: found.liveness.tries },
});

/** The cause of the failed stage, if one did, and what keeps no stage from passing and breaks other clients. */
function recognised<E extends Evidence>(causes: readonly Cause<E>[], evidence: E, failed: Stage | undefined) {
  let cause: Finding | undefined;
  const troubles: Finding[] = [];
  for (const each of causes) {
    if (each.at === "passed") {
      const found = findingOf(each, evidence);
      if (found !== undefined) troubles.push(found);
    } else if (cause === undefined && failed !== undefined && each.at.includes(failed.name)) {
      cause = findingOf(each, evidence);
    }
  }
  return { cause, troubles };
}

function findingOf<E>({ id, mend, recognise }: Cause<E>, evidence: E): Finding | undefined {
  const seen = recognise(evidence);
  if (seen === undefined) return undefined;
  return typeof seen === "string"
    ? { cause: id, headline: seen, mend }
    : { cause: id, headline: seen.headline, mend: seen.mend ?? mend };
}

function headlineOf(failed: Stage | undefined, first: Finding | undefined): string {
  if (first !== undefined)
    return failed === undefined ? `It works here, and not everywhere: ${first.headline}` : first.headline;
  return failed === undefined
    ? "Nothing is wrong: it starts, answers and lists what it has"
    : `It fails at ${failed.name}: ${failed.saw}`;
}
