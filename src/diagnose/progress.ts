import type { Walk } from "../facts/lists.ts";
import { at, isObject } from "../model/json.ts";
import { resultOf, rpcError } from "../model/message.ts";
import type { Evidence, Run, StdioEvidence, Talk } from "./evidence.ts";
import { type Stray, strayIn } from "./stray.ts";

/** The revisions that a server of the older era may name. */
export const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

export const talksOf = (evidence: Evidence): readonly Talk[] =>
  evidence.kind === "http" ? evidence.talks : evidence.runs.flatMap(({ talk }) => (talk === undefined ? [] : [talk]));

/** The conversation that came farthest; of equals the first. */
export function bestTalk(evidence: Evidence): Talk | undefined {
  const ranked = talksOf(evidence).map((talk) => ({ talk, rank: rankOf(talk) }));
  return ranked.sort((a, b) => b.rank - a.rank)[0]?.talk;
}

/** The process that came farthest of those that were asked as clients ask; of equals the first. */
export function bestRun({ runs }: StdioEvidence): Run | undefined {
  const rank = (run: Run) =>
    (run.talk === undefined ? 0 : 10 * rankOf(run.talk)) + (run.heard ? 5 : 0) + (run.bytes > 0 ? 1 : 0);
  return runs
    .filter(({ how }) => how === "initialize" || how === "server/discover")
    .map((run) => ({ run, rank: rank(run) }))
    .sort((a, b) => b.rank - a.rank)[0]?.run;
}

/** Why the opening is of no use to a client, in words. */
export function openingTrouble({ revision, opened }: Talk): string | undefined {
  if (opened.refusal !== undefined) return opened.refusal;
  const result = resultOf(opened.exchange.reply);
  if (revision !== "2025-11-25") {
    return Array.isArray(at(result, "supportedVersions")) ? undefined : "the result names no supportedVersions";
  }
  const version = at(result, "protocolVersion");
  if (typeof version !== "string") return "the result has no protocolVersion";
  if (!LEGACY.some((each) => each === version))
    return `the protocolVersion ${JSON.stringify(version).slice(0, 80)} is none of ${LEGACY.join(", ")}`;
  if (!isObject(at(result, "capabilities"))) return "the result has no capabilities";
  return isObject(at(result, "serverInfo")) ? undefined : "the result has no serverInfo";
}

/** The first list that can't be had whole, and why. */
export function listTrouble({ walks, unfinished }: Talk): { readonly walk?: Walk; readonly why: string } | undefined {
  for (const walk of walks) {
    const why = walkTrouble(walk);
    if (why !== undefined) return { walk, why };
  }
  return unfinished[0] === undefined ? undefined : { why: `${unfinished[0]} went on without end` };
}

/** Whether the process or the connection went away right after its first answer. */
export const brokeOff = ({ opened, control }: Talk): boolean =>
  opened.refusal === undefined &&
  [opened.initialized, control].some((exchange) => exchange?.end === "closed" || exchange?.end === "unreachable");

/** How a process ended by itself, as a predicate: exited with code 1, was killed by SIGSEGV. */
export const endOf = ({ ended = "went away" }: Run): string => ended.replace(/^killed/, "was killed");

/** The first thing on a process's stdout that is no message. */
export const strayOf = (run: Run): Stray | undefined => strayIn(run.stdout, run.bytes <= run.stdout.length);

// --- internal ---

function rankOf(talk: Talk): number {
  if (!talk.heard) return 0;
  if (openingTrouble(talk) !== undefined) return 1;
  return listTrouble(talk) === undefined ? 3 : 2;
}

function walkTrouble({ method, pages, end, error }: Walk): string | undefined {
  const last = pages.at(-1);
  if (end === "error") {
    const exchange = last?.exchange;
    const status = exchange?.http?.status;
    const code = rpcError(exchange?.reply)?.code;
    if (exchange?.end === "timeout") return `${method} was not answered within ${Math.round(exchange.ms)} ms`;
    if (code === undefined && status !== undefined && status !== 200)
      return `${method} was answered with HTTP ${status}`;
    return `${method} was answered with ${error ?? "no list"}`;
  }
  if (end === "bad-cursor") return `${method} has a nextCursor that is ${JSON.stringify(last?.nextCursor)}`;
  if (end === "loop") return `${method} gives the cursor ${JSON.stringify(last?.nextCursor)} again and again`;
  if (end === "bound") return `${method} has more than ${pages.length} pages`;
  for (const { items } of pages) {
    if (!Array.isArray(items)) return `${method} has a result without its list`;
    const odd = items.findIndex((item) => !isObject(item));
    if (odd >= 0) return `${method} has ${JSON.stringify(items[odd])?.slice(0, 40)} among its items`;
  }
  return undefined;
}
