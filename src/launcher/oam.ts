import { join } from "node:path";
import { fileOf, type Machine, onPath, present } from "./machine.ts";
import { ask, compare, type Version } from "./version.ts";

/** The first oam that this program is tried on. Before 0.9.0 child_process got arguments and stdio wrong. */
export const OAM_FLOOR: Version = [0, 18, 0];

export interface Search {
  /** The program to run, if there is one that can be used. */
  readonly program?: string;
  /** What was found or named and can't be used, and why. */
  readonly complaints: readonly string[];
  /** How to get one that can be used. */
  readonly mend: string;
}

/** OAM_BIN if it will do; else the newest of those in OAM_INSTALL_DIR, the home folders and PATH. */
export function findOam(machine: Machine): Search {
  const { env, home, windows } = machine;
  const named = env["OAM_BIN"];
  const complaints: string[] = [];
  if (named !== undefined && named !== "") {
    const found = usable(named);
    if (typeof found !== "string") return { program: named, complaints, mend: "" };
    complaints.push(`OAM_BIN ${JSON.stringify(named)} ${found}`);
  }
  const file = fileOf("oam", machine);
  const local = env["LOCALAPPDATA"];
  const installed = env["OAM_INSTALL_DIR"];
  const places = [
    ...(installed === undefined || installed === "" ? [] : [join(installed, file)]),
    join(home, ".oam", "bin", file),
    ...(windows && local !== undefined && local !== "" ? [join(local, "oam", "bin", file)] : []),
    ...onPath("oam", machine),
  ];
  let best: { readonly program: string; readonly version: Version } | undefined;
  let old = false;
  const refused: string[] = [];
  for (const program of present(places)) {
    const found = usable(program);
    if (typeof found === "string") {
      refused.push(`${program} ${found}`);
      old ||= found.includes("older");
    } else if (best === undefined || compare(found, best.version) > 0) best = { program, version: found };
  }
  if (best !== undefined) return { program: best.program, complaints, mend: "" };
  const mend = old ? UPDATE : complaints.length > 0 ? POINT : INSTALL;
  return { complaints: [...complaints, ...refused], mend };
}

// --- internal ---

const UPDATE = "update it with: oam self-update";
const POINT = `point OAM_BIN at an oam ${OAM_FLOOR.join(".")} or newer, or unset it`;
const INSTALL = "install oam from https://oam.sh";

function usable(program: string): Version | string {
  const version = ask(program);
  if (typeof version === "string" || compare(version, OAM_FLOOR) >= 0) return version;
  return `is ${version.join(".")}, older than ${OAM_FLOOR.join(".")}`;
}
