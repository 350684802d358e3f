import { pool } from "../engine/pool.ts";
import { laboratory } from "../matrix/lab.ts";
import { type Cell, plan, tryCell } from "../matrix/matrix.ts";
import { REVISIONS } from "../model/catalog.ts";
import { childEnv } from "./child-env.ts";
import { EXIT } from "./exit.ts";
import { onInterrupt } from "./interrupt.ts";
import { selfCommand } from "./self.ts";
import { print, printError } from "./terminal.ts";
import { choice } from "./test-options.ts";
import { UsageError } from "./usage.ts";
import { list, type Verb } from "./verb.ts";

/** Trials at once: each waits more than it works. */
const WIDTH = 4;

export const selftest: Verb = {
  name: "selftest",
  about: "prove that this program still catches every fault it claims to catch",
  options: [
    { name: "only", value: "<items>", many: true, about: "only the faults of these areas or check ids" },
    { name: "spec-version", value: "<revision>", about: "only in 2025-11-25 or 2026-07-28 (default: in both)" },
    { name: "all", about: "every fault against the whole catalog on both transports" },
    { name: "json", about: "the result as JSON" },
    { name: "verbose", about: "a line per trial on stderr" },
  ],
  examples: ["mcp-assay selftest", "mcp-assay selftest --only tools --json"],
  async run(split) {
    if (split.words.length > 0)
      throw new UsageError(`selftest takes no target, and ${JSON.stringify(split.words[0])} is given.`);
    const stop = onInterrupt();
    const only = list(split, "only");
    const wanted = choice(split, "spec-version", REVISIONS);
    const planned = (wanted === undefined ? REVISIONS.slice(0, 1) : [wanted]).flatMap((revision) => {
      const lab = laboratory(selfCommand(process.argv[1]), childEnv(process.env, {}), process.platform, revision);
      return plan(lab, { all: split.switches.has("all"), only, kinds: ["http", "stdio"] });
    });
    if (planned.length === 0)
      throw new UsageError(`--only ${only.join(",")} names no fault: see mcp-assay serve --list-faults.`);
    const cells: Cell[] = [];
    await pool(
      WIDTH,
      planned,
      () => stop.aborted,
      async (each) => {
        const cell = await tryCell(each);
        cells.push(cell);
        const good = cell.caught && cell.innocent.length === 0;
        if (split.switches.has("verbose") || !good) {
          await printError(
            `${good ? "ok" : "MISSED"} ${cell.fault.id} in ${cell.lab.revision.id} over ${cell.kind}: a server that ${cell.fault.fault.name}`,
          );
          for (const why of cell.why) await printError(`   ${why}`);
        }
      },
    );
    const bad = new Set(cells.filter((cell) => !cell.caught || cell.innocent.length > 0).map((cell) => cell.fault.id));
    const faults = new Set(cells.map((cell) => cell.fault.id));
    const line = `${faults.size} faults, ${faults.size - bad.size} caught, ${bad.size} missed`;
    await print(split.switches.has("json") ? JSON.stringify(toJson(cells, faults.size, bad.size), null, 2) : line);
    if (stop.aborted) return EXIT.interrupted;
    return bad.size > 0 ? EXIT.ourFault : EXIT.fine;
  },
};

// --- internal ---

const toJson = (cells: readonly Cell[], faults: number, missed: number) => ({
  faults,
  caught: faults - missed,
  missed,
  trials: cells.map(({ lab, fault, kind, whole, caught, innocent, why }) => ({
    revision: lab.revision.id,
    fault: fault.id,
    name: fault.fault.name,
    transport: kind,
    catalog: whole ? "whole" : "own check",
    caught,
    innocent,
    why,
  })),
});
