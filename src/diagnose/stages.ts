import type { Stage, StageName } from "../model/diagnosis.ts";
import { at } from "../model/json.ts";
import { resultOf } from "../model/message.ts";
import { wordsOf } from "./_words.ts";
import type { Evidence, HttpEvidence, StdioEvidence, Talk } from "./evidence.ts";
import { bestRun, bestTalk, brokeOff, endOf, listTrouble, openingTrouble, strayOf } from "./progress.ts";

/** How far the target comes, stage by stage; after the first that failed nothing is reached. */
export function stagesOf(evidence: Evidence): readonly Stage[] {
  const tried = evidence.kind === "stdio" ? stdioStages(evidence) : httpStages(evidence);
  const failed = tried.findIndex(({ state }) => state === "failed");
  return failed < 0
    ? tried
    : tried.map((stage, i) => (i <= failed ? stage : { name: stage.name, state: "not reached", saw: "not reached" }));
}

// --- internal ---

const stage = (name: StageName, ok: boolean, saw: string, ms?: number): Stage => ({
  name,
  state: ok ? "passed" : "failed",
  saw,
  ...(ms === undefined ? {} : { ms: Math.round(ms) }),
});

function stdioStages(evidence: StdioEvidence): readonly Stage[] {
  const { resolved, runs } = evidence;
  const run = bestRun(evidence);
  const started = run !== undefined && run.exchange.end !== "unreachable";
  const named = started || resolved.path !== undefined;
  const gone = run?.ended === undefined ? "" : `; the process ${endOf(run)}`;
  const stray = run === undefined ? undefined : strayOf(run);
  const dirty = stray?.first === true;
  const silent = run === undefined ? "" : `nothing on stdout within ${Math.round(run.exchange.ms)} ms${gone}`;
  return [
    stage(
      "command",
      named && resolved.problem === undefined,
      resolved.path === undefined
        ? started
          ? "found by the system"
          : (resolved.problem ?? "not found")
        : `${resolved.path}${resolved.problem === undefined ? "" : ` is ${resolved.problem}`}`,
    ),
    stage("start", started, started ? "the process runs" : (run?.exchange.cause ?? "it could not be started")),
    stage(
      "first byte",
      (run?.bytes ?? 0) > 0,
      run?.firstByte === undefined ? silent : `after ${Math.round(run.firstByte)} ms`,
      run?.firstByte,
    ),
    stage(
      "first message",
      run?.heard === true && !dirty,
      run?.heard === true
        ? dirty
          ? `there is a JSON-RPC message, but not before something else at byte ${stray.offset}`
          : `${wordsOf(run.exchange)}, to ${run.how}`
        : `none in ${runs.length} ${runs.length === 1 ? "try" : "tries"}${gone}`,
      run?.exchange.ms,
    ),
    ...conversation(bestTalk(evidence)),
  ];
}

function httpStages(evidence: HttpEvidence): readonly Stage[] {
  const { connections, url, proxy } = evidence;
  const connection = connections.at(-1);
  const trouble = connection?.trouble;
  const talk = bestTalk(evidence);
  const exchange = talk?.opened.exchange;
  const failed = (...where: readonly string[]) => trouble !== undefined && where.includes(trouble.at);
  const why = trouble === undefined ? "" : `${trouble.message} (${trouble.code})`;
  const by = proxy === undefined ? "" : ` by the proxy ${proxy}`;
  const lookup: Stage =
    proxy !== undefined
      ? { name: "dns", state: "not needed", saw: `the proxy ${proxy} looks it up` }
      : connection?.resolved === undefined && !failed("dns")
        ? { name: "dns", state: "not needed", saw: "an address" }
        : stage("dns", !failed("dns"), failed("dns") ? why : (connection?.address ?? ""), connection?.resolved);
  return [
    lookup,
    stage("tcp", !failed("tcp", "proxy"), failed("tcp", "proxy") ? why : `connected${by}`, connection?.connected),
    url.protocol === "https:"
      ? stage(
          "tls",
          !failed("tls"),
          failed("tls")
            ? why
            : evidence.insecure
              ? "done, any certificate would do"
              : "done, the certificate is trusted",
          connection?.ready,
        )
      : { name: "tls", state: "not needed", saw: "plain http" },
    stage(
      "first byte",
      exchange?.http !== undefined,
      exchange === undefined ? "nothing was sent" : wordsOf(exchange),
      exchange?.http === undefined ? undefined : exchange.ms,
    ),
    stage(
      "first message",
      talk?.heard === true,
      talk?.heard === true ? `to ${methodOf(talk)}` : "no JSON-RPC message in the answer",
      exchange?.ms,
    ),
    ...conversation(talk),
  ];
}

const methodOf = ({ revision }: Talk): string => (revision === "2025-11-25" ? "initialize" : "server/discover");

function conversation(talk: Talk | undefined): readonly Stage[] {
  if (talk === undefined) return [stage("negotiation", false, "not tried"), stage("lists", false, "not tried")];
  const refused = openingTrouble(talk);
  const { opened, walks } = talk;
  const name = at(resultOf(opened.exchange.reply), "serverInfo", "name");
  const who = typeof name === "string" ? `, ${JSON.stringify(name).slice(0, 80)}` : "";
  const broken = brokeOff(talk);
  const trouble = listTrouble(talk);
  const counted = walks.map(
    ({ method, pages }) =>
      `${method} ${pages.reduce((n, { items }) => n + (Array.isArray(items) ? items.length : 0), 0)}`,
  );
  return [
    stage(
      "negotiation",
      refused === undefined && !broken,
      refused ??
        (broken
          ? "the server went away after its first answer"
          : `revision ${opened.negotiated ?? talk.revision}${who}`),
    ),
    stage(
      "lists",
      trouble === undefined,
      trouble?.why ?? (counted.length === 0 ? "none declared" : counted.join(", ")),
    ),
  ];
}
