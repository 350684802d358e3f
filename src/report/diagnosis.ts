import type { Authorization, Diagnosis, Exhibit, Finding, Stage } from "../model/diagnosis.ts";
import { createPage, type Lines, type Page, type PageOptions, padded } from "./_page.ts";

/** The diagnosis for people at a terminal. Nothing that a server wrote can steer it. */
export function diagnosisToTerminal(diagnosis: Diagnosis, options: PageOptions): string {
  const page = createPage(options);
  const { headline, mend, ok, cause, stages, evidence, troubles, authorization, liveness, contacted } = diagnosis;
  const paint = ok ? (cause === undefined ? page.green : page.yellow) : page.red;
  const lines = [
    ...page.paragraph("", page.say(headline), (line) => page.bold(paint(line))),
    "",
    ...page.paragraph(`  ${page.dim(padded("Target", LABEL))}`, page.say(diagnosis.target)),
    ...page.paragraph(
      `  ${page.dim(padded("Liveness", LABEL))}`,
      `${liveness.class}, in ${liveness.tries.length} ${liveness.tries.length === 1 ? "try" : "tries"}`,
    ),
    ...liveness.tries.flatMap((each) => page.paragraph(`  ${padded("", LABEL)}- `, page.say(each, 200), page.dim)),
    ...(contacted.length === 0
      ? []
      : page.paragraph(`  ${page.dim(padded("Asked", LABEL))}`, page.say(contacted.join(", ")))),
    ...section(
      "HOW FAR IT COMES",
      stages.map((each) => stageLine(each, page)),
      page,
    ),
    ...section("WHAT TO DO", mend === undefined ? [] : [page.paragraph("  ", page.say(mend))], page),
    ...section(
      "EVIDENCE",
      // Of a server that works there is nothing to prove.
      ok && cause === undefined ? [] : evidence.map((each) => exhibit(each, page)),
      page,
    ),
    ...(authorization === undefined ? [] : transcript(authorization, page)),
    ...section(
      "WHAT BREAKS OTHER CLIENTS",
      troubles.map((each) => finding(each, page)),
      page,
    ),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** A diagnosis as one JSON document, by version 1. Fields may be added; none changes its meaning. */
export function diagnosisToJson(
  diagnosis: Diagnosis,
  {
    redact,
    tool,
    exitCode,
  }: { readonly redact: (text: string) => string; readonly tool: string; readonly exitCode: number },
): string {
  const {
    target,
    transport,
    ok,
    cause,
    headline,
    mend,
    stages,
    evidence,
    troubles,
    liveness,
    authorization,
    contacted,
    ms,
  } = diagnosis;
  const document = {
    schemaVersion: "1",
    kind: "diagnosis",
    toolVersion: tool,
    target,
    transport,
    ok,
    exitCode,
    headline,
    cause: cause ?? null,
    mend: mend ?? null,
    partial: diagnosis.partial ?? null,
    stages,
    evidence,
    troubles,
    liveness,
    authorization: authorization ?? null,
    contacted,
    durationMs: Math.round(ms),
  };
  return JSON.stringify(document, (_, value: unknown) => (typeof value === "string" ? redact(value) : value), 2);
}

// --- internal ---

const LABEL = 10;
const NAME = 15;
const LINES = 60;

const section = (title: string, entries: readonly Lines[], page: Page): Lines =>
  entries.length === 0 ? [] : ["", page.bold(title), "", ...entries.flat()];

function stageLine({ name, state, saw, ms }: Stage, page: Page): Lines {
  const paints = { passed: page.green, failed: page.red, "not reached": page.dim, "not needed": page.dim };
  const mark = { passed: "ok", failed: "FAILED", "not reached": page.mark.dash, "not needed": page.mark.dash }[state];
  const lead = `  ${paints[state](padded(mark, 7))} ${padded(name, NAME)}`;
  const time = ms === undefined || saw.includes(`${ms} ms`) ? "" : ` (${ms} ms)`;
  return page.paragraph(lead, `${page.say(saw, 300)}${time}`, state === "passed" ? undefined : paints[state]);
}

function exhibit({ label, text }: Exhibit, page: Page): Lines {
  const lines = text.split("\n").slice(0, LINES);
  const [first = "", ...more] = lines;
  if (more.length === 0 && first.length < page.width - 30)
    return page.paragraph(`  ${page.dim(`${label}: `)}`, page.say(first));
  return [
    `  ${page.dim(label)}`,
    ...lines.flatMap((line) => page.paragraph("    | ", page.say(line.replaceAll("\r", "")))),
  ];
}

function transcript({ steps }: Authorization, page: Page): Lines {
  const paints = { ok: page.green, missing: page.yellow, wrong: page.red, "not asked": page.dim };
  return section(
    "THE WAY TO A CREDENTIAL, STEP BY STEP",
    steps.map(({ what, result, saw }) => [
      ...page.paragraph(`  ${paints[result](padded(result, 10))}`, page.say(what)),
      ...page.paragraph(`  ${padded("", 10)}`, page.say(saw, 400), page.dim),
    ]),
    page,
  );
}

const finding = ({ headline, mend }: Finding, page: Page): Lines => [
  ...page.paragraph("  - ", page.say(headline)),
  ...page.paragraph("    ", page.say(mend), page.dim),
];
