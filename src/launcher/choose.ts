import { join } from "node:path";
import { fileOf, type Machine, onPath, present } from "./machine.ts";
import { findOam, type Search } from "./oam.ts";
import { ask, compare, type Version, versionIn } from "./version.ts";

export const CHOICES = ["auto", "bun", "oam", "node", "binary"] as const;

/** What the program runs on: here, in this very process, or as another one. */
export type Choice =
  | { readonly kind: "here"; readonly note?: string }
  | { readonly kind: "spawn"; readonly command: readonly [string, ...string[]]; readonly note?: string }
  | { readonly kind: "none"; readonly code: 1 | 2; readonly note: string };

/** Where the package lies, and what this process is. */
export interface Package {
  readonly index: string;
  /** Where an executable would lie, if this is unpacked beside one. */
  readonly executables: readonly string[];
  readonly running: "node" | "bun";
  /** The version of what is running. */
  readonly version: string;
}

/** Chooses by MCP_ASSAY_RUNTIME. Starts no process unless there is an oam, or another runtime is asked for. */
export function choose(machine: Machine, here: Package): Choice {
  const wanted = machine.env["MCP_ASSAY_RUNTIME"] || "auto";
  switch (wanted) {
    case "auto":
      return automatic(machine, here);
    case "oam":
      return forced("oam", findOam(machine), (program) => oamCommand(program, here));
    case "node":
    case "bun":
      if (here.running === wanted) return inProcess(here);
      return forced(wanted, findPlain(wanted, machine), (program) => plainCommand(wanted, program, here));
    case "binary":
      return forced("binary", findExecutable(machine, here), (program) => [program]);
    default:
      return {
        kind: "none",
        code: 2,
        note: `MCP_ASSAY_RUNTIME ${JSON.stringify(wanted)} is none of ${CHOICES.join(", ")}`,
      };
  }
}

// --- internal ---

/** Bun 1.3 changes headers on their way and would be judged in place of the server; before 1.4.5 it talks of its own. */
const FLOORS: Readonly<Record<"node" | "bun", Version>> = { node: [20, 0, 0], bun: [1, 4, 5] };
const NOTHING = process.platform === "win32" ? "NUL" : "/dev/null";
/** Bun reads .env, bunfig.toml and tsconfig.json of the folder it is started in, and would run what they name. */
const BUN_FLAGS = ["--no-env-file", "--no-install", `--config=${NOTHING}`, `--tsconfig-override=${NOTHING}`];

function automatic(machine: Machine, here: Package): Choice {
  const { program, complaints } = findOam(machine);
  if (program !== undefined) {
    return { kind: "spawn", command: oamCommand(program, here), ...instead(complaints, program) };
  }
  const choice = inProcess(here);
  return choice.kind === "none"
    ? choice
    : { ...choice, ...instead(complaints, here.running === "node" ? "Node" : "Bun") };
}

/** This process is a runtime already, if it isn't too old a one. */
function inProcess({ running, version }: Package): Choice {
  const has = versionIn(version);
  if (has === undefined || compare(has, FLOORS[running]) >= 0) return { kind: "here" };
  return {
    kind: "none",
    code: 1,
    note: `${running} ${version} is older than ${FLOORS[running].join(".")}; update it.`,
  };
}

const instead = (complaints: readonly string[], used: string): { readonly note?: string } =>
  complaints.length === 0 ? {} : { note: `${complaints.join("; ")}; using ${used} instead.` };

function forced(name: string, search: Search, command: (program: string) => readonly [string, ...string[]]): Choice {
  const { program, complaints, mend } = search;
  const said = complaints.join("; ");
  if (program !== undefined) {
    return { kind: "spawn", command: command(program), ...instead(complaints, program) };
  }
  const why = said === "" ? `there is no ${name === "binary" ? "executable" : name} here` : said;
  return { kind: "none", code: 1, note: `MCP_ASSAY_RUNTIME is ${name}, but ${why}; ${mend}.` };
}

const oamCommand = (program: string, { index }: Package): readonly [string, ...string[]] => [
  ...([program, "run", index, "--"] as const),
];

function plainCommand(name: "node" | "bun", program: string, { index }: Package): readonly [string, ...string[]] {
  return name === "bun" ? [program, ...BUN_FLAGS, index] : [program, index];
}

function findPlain(name: "node" | "bun", machine: Machine): Search {
  const floor = FLOORS[name];
  const installed = machine.env["BUN_INSTALL"] || join(machine.home, ".bun");
  const own = name === "bun" ? [join(installed, "bin", fileOf("bun", machine))] : [];
  const complaints: string[] = [];
  for (const program of present([...onPath(name, machine), ...own])) {
    const version = ask(program);
    if (typeof version !== "string" && compare(version, floor) >= 0) return { program, complaints, mend: "" };
    const why = typeof version === "string" ? version : `is ${version.join(".")}, older than ${floor.join(".")}`;
    complaints.push(`${program} ${why}`);
  }
  return { complaints, mend: `put ${name} ${floor.join(".")} or newer on PATH` };
}

function findExecutable(machine: Machine, { executables }: Package): Search {
  const named = machine.env["MCP_ASSAY_BIN"];
  const mend = "point MCP_ASSAY_BIN at an mcp-assay executable (install.sh gets one: --target)";
  const places = named === undefined || named === "" ? executables : [named];
  const [program] = present(places);
  if (program !== undefined) return { program, complaints: [], mend };
  return { complaints: named ? [`MCP_ASSAY_BIN ${JSON.stringify(named)} does not exist`] : [], mend };
}
