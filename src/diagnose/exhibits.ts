import type { Exhibit } from "../model/diagnosis.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Connected, Evidence, HttpEvidence, Run, StdioEvidence } from "./evidence.ts";
import { bestRun, bestTalk, listTrouble, strayOf } from "./progress.ts";
import { hexdump } from "./stray.ts";

/** What was seen, as far as it helps to believe the headline. Texts of the server are as they came, capped. */
export const exhibitsOf = (evidence: Evidence): readonly Exhibit[] =>
  [...(evidence.kind === "stdio" ? stdioExhibits(evidence) : httpExhibits(evidence)), ...failedList(evidence)].filter(
    ({ text }) => text !== "",
  );

// --- internal ---

const BODY = 1000;
const STDERR = 4000;
const HEADERS = 40;

function stdioExhibits(e: StdioEvidence): readonly Exhibit[] {
  const { resolved } = e;
  const run = bestRun(e);
  const stray = run === undefined ? undefined : strayOf(run);
  return [
    {
      label: "command",
      text: e.words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" "),
    },
    { label: "folder", text: e.cwd },
    {
      label: "program",
      text: [resolved.path ?? "", resolved.problem ?? "", resolved.shebang ?? ""]
        .filter((each) => each !== "")
        .join(", "),
    },
    { label: "variables given", text: e.variables.join(" ") },
    { label: "exit status", text: run?.ended ?? "" },
    ...(stray === undefined
      ? []
      : [{ label: `stdout, byte ${stray.offset}`, text: hexdump(stray.bytes, stray.offset) }]),
    { label: "stderr, its end", text: run === undefined ? "" : tail(run.stderr) },
    ...others(e, run),
  ];
}

/** How the other processes ended, where they did otherwise than the one that is shown. */
const others = ({ runs }: StdioEvidence, shown: Run | undefined): readonly Exhibit[] =>
  runs.flatMap((run) =>
    run === shown || run.ended === undefined || run.ended === shown?.ended
      ? []
      : [
          {
            label: `the process that was asked ${run.how}`,
            text: `${run.ended}${run.stderr.trim() === "" ? "" : `\n${tail(run.stderr).slice(-1000)}`}`,
          },
        ],
  );

function tail(stderr: string): string {
  const text = stderr.trimEnd();
  return text.length <= STDERR ? text : text.slice(text.indexOf("\n", text.length - STDERR) + 1);
}

function httpExhibits(e: HttpEvidence): readonly Exhibit[] {
  const connection = e.connections.at(-1);
  const exchange = bestTalk(e)?.opened.exchange;
  return [
    { label: "proxy", text: e.proxy ?? "" },
    { label: "address", text: connection?.address ?? "" },
    {
      label: "error",
      text: connection?.trouble === undefined ? "" : `${connection.trouble.message} (${connection.trouble.code})`,
    },
    { label: "certificate", text: e.connections.flatMap(certificate)[0] ?? "" },
    ...(exchange === undefined || exchange.reply?.result !== undefined ? [] : answer("answer", exchange)),
    {
      label: "redirects",
      text: e.hops
        .map(
          ({ from, status, location, answer }) =>
            `${from} -> HTTP ${status} -> ${location}${answer === undefined ? " (not asked)" : `: ${answer}`}`,
        )
        .join("\n"),
    },
    { label: "HTTP+SSE of 2024-11-05", text: e.speaksSse === true ? "the URL opens such a stream" : "" },
    {
      label: "other places, asked without credentials",
      text: e.places
        .map(({ url, answer, found }) => `${url}: ${answer}${found === "sse" ? ", and a stream of HTTP+SSE" : ""}`)
        .join("\n"),
    },
    { label: "with Host: localhost", text: e.asLocalhost === undefined ? "" : status(e.asLocalhost) },
    { label: "with an Origin", text: e.withOrigin === undefined ? "" : status(e.withOrigin) },
  ];
}

function certificate({ certificate }: Connected): readonly string[] {
  if (certificate === undefined) return [];
  const { subject, issuer, from, to, names } = certificate;
  return [`subject ${subject}, issuer ${issuer}, valid from ${from} to ${to}${names === "" ? "" : `, for ${names}`}`];
}

const status = ({ http, cause, end }: Exchange): string =>
  http === undefined ? (cause ?? end) : `HTTP ${http.status}`;

function answer(label: string, exchange: Exchange): readonly Exhibit[] {
  const { http } = exchange;
  if (http === undefined) return [{ label, text: exchange.cause ?? exchange.end }];
  const lines = http.headers.slice(0, HEADERS).map(([name, value]) => `${name}: ${value.slice(0, 300)}`);
  const more = http.headers.length > HEADERS ? [`(${http.headers.length - HEADERS} more headers)`] : [];
  const body = http.body === "" ? (http.unfinished ?? http.events.map(({ data }) => data ?? "").join("\n")) : http.body;
  return [
    { label, text: [`HTTP ${http.status}`, ...lines, ...more].join("\n") },
    { label: `${label}, first bytes of ${http.bytes}`, text: body.slice(0, BODY) },
  ];
}

/** The answer to the list that failed. */
function failedList(evidence: Evidence): readonly Exhibit[] {
  const talk = bestTalk(evidence);
  const walk = talk === undefined ? undefined : listTrouble(talk)?.walk;
  const exchange = walk?.pages.at(-1)?.exchange;
  if (walk === undefined || exchange === undefined) return [];
  const text = exchange.received[0]?.text ?? "";
  return exchange.http !== undefined && exchange.reply === undefined
    ? answer(`answer to ${walk.method}`, exchange)
    : [{ label: `answer to ${walk.method}, first bytes`, text: text.slice(0, BODY) }];
}
