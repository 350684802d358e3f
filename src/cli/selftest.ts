import { availableParallelism } from "node:os";
import { pool } from "../engine/pool.ts";
import { laboratory } from "../matrix/lab.ts";
import { BREADTHS, isGood, type Planned, plan, type Tried, triedOf, tryCell } from "../matrix/matrix.ts";
import { REVISIONS } from "../model/catalog.ts";
import { childEnv } from "../text/variables.ts";
import { EXIT } from "./exit.ts";
import { endWithParent, onInterrupt } from "./interrupt.ts";
import { selfCommand } from "./self.ts";
import { shards } from "./shards.ts";
import type { Split } from "./split.ts";
import { print, printError } from "./terminal.ts";
import { UsageError } from "./usage.ts";
import { choice } from "./values.ts";
import { last, list, type Verb } from "./verb.ts";

/** Trials at once in one process: each waits more than it works. */
const WIDTH = 4;
/** Trials below which further processes would cost more than they save. */
const FEW = 60;

export const selftest: Verb = {
  name: "selftest",
  about: "prove that this program still catches every fault it claims to catch",
  operands: "plain",
  options: [
    { name: "only", value: "<items>", many: true, about: "only the faults of these areas or check ids" },
    { name: "spec-version", value: "<revision>", about: "only in 2025-11-25 or 2026-07-28 (default: in both)" },
    { name: "breadth", value: "<breadth>", about: "quick (default): each fault once; ci; or all" },
    { name: "all", about: "every fault against the whole catalog on both transports (--breadth all)" },
    { name: "shard", value: "<i/n>", about: "only the i-th of n parts of the trials, in this process" },
    { name: "json", about: "the result as JSON" },
    { name: "verbose", about: "a line per trial on stderr" },
  ],
  examples: ["mcp-assay selftest", "mcp-assay selftest --only tools --json"],
  async run(split) {
    if (split.words.length > 0) {
      throw new UsageError(`selftest takes no target, and ${JSON.stringify(split.words[0])} is given.`);
    }
    const stop = onInterrupt();
    if (split.values.has("shard")) endWithParent();
    const self = selfCommand(process.argv[1]);
    const planned = trialsOf(split, self);
    const processes = availableParallelism();
    const alone = split.values.has("shard") || processes < 2 || planned.length < FEW;
    const tell = (tried: Tried) => report(tried, split.switches.has("verbose"));
    const tried = alone
      ? await trials(planned, () => stop.aborted, tell)
      : await shards(self, argumentsOf(split), processes, stop, tell);
    const bad = new Set(tried.filter((each) => !isGood(each)).map(({ fault }) => fault));
    const faults = new Set(tried.map(({ fault }) => fault)).size;
    const result = { faults, caught: faults - bad.size, missed: bad.size, trials: tried };
    const line = `${result.faults} faults, ${result.caught} caught, ${result.missed} missed`;
    await print(split.switches.has("json") ? JSON.stringify(result, null, 2) : line);
    if (stop.aborted) return EXIT.interrupted;
    return bad.size > 0 || tried.length < (alone ? planned.length : 1) ? EXIT.ourFault : EXIT.fine;
  },
};

// --- internal ---

function trialsOf(split: Split, self: readonly [string, ...string[]]): readonly Planned[] {
  const only = list(split, "only");
  const wanted = choice(split, "spec-version", REVISIONS);
  const breadth = split.switches.has("all") ? "all" : (choice(split, "breadth", BREADTHS) ?? "quick");
  const all = (wanted === undefined ? REVISIONS : [wanted]).flatMap((revision) => {
    const lab = laboratory(self, childEnv(process.env, {}), process.platform, revision);
    return plan(lab, { breadth, only, kinds: ["http", "stdio"], both: wanted === undefined });
  });
  if (all.length === 0) {
    throw new UsageError(`--only ${only.join(",")} names no fault: see mcp-assay serve --list-faults.`);
  }
  const shard = last(split, "shard");
  if (shard === undefined) return all;
  const [, part = "", of = ""] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (of === "" || Number(part) < 1 || Number(part) > Number(of)) {
    throw new UsageError(`--shard ${JSON.stringify(shard)} is no part: write it as 1/2.`);
  }
  // Neighbours are alike (the two transports of one fault take turns), so parts are dealt by a stride of their own.
  return all.filter((_, index) => Math.floor((index * 7919) / 64) % Number(of) === Number(part) - 1);
}

async function trials(
  planned: readonly Planned[],
  stopped: () => boolean,
  tell: (tried: Tried) => Promise<void>,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  await pool(WIDTH, planned, stopped, async (each) => {
    const one = triedOf(await tryCell(each));
    tried.push(one);
    await tell(one);
  });
  return tried;
}

async function report(tried: Tried, verbose: boolean): Promise<void> {
  if (!verbose && isGood(tried)) return;
  const { fault, revision, transport, name, why, hurried } = tried;
  await printError(
    `${isGood(tried) ? "ok" : "MISSED"} ${fault} in ${revision} over ${transport}: a server that ${name}`,
  );
  for (const each of why) await printError(`   ${each}`);
  for (const each of hurried ?? []) await printError(`   at first, in a hurry: ${each}`);
}

/** The options again, for the processes that share the work. */
const argumentsOf = (split: Split): readonly string[] => [
  ...["only", "spec-version", "breadth"].flatMap((name) =>
    (split.values.get(name) ?? []).flatMap((value) => [`--${name}`, value]),
  ),
  ...(split.switches.has("all") ? ["--all"] : []),
];
