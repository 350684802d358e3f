// The npm bin: chooses the runtime and runs index.js, which lies beside this file, on it.
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { choose } from "./choose.ts";
import { handOver } from "./hand-over.ts";
import { fileOf, type Machine } from "./machine.ts";

const folder = dirname(realpathSync(fileURLToPath(import.meta.url)));
const index = join(folder, "index.js");
const machine: Machine = { env: process.env, home: homedir(), windows: process.platform === "win32" };
const bun = process.versions["bun"];
const executable = fileOf("mcp-assay", machine);
const choice = choose(machine, {
  index,
  // In a checkout the build lies beside us, in an archive one folder up.
  executables: [join(folder, executable), join(dirname(folder), executable)],
  running: bun === undefined ? "node" : "bun",
  version: bun ?? process.versions.node,
});
if (choice.note !== undefined) console.error(`mcp-assay: ${choice.note}`);
if (choice.kind === "none") process.exitCode = choice.code;
else if (choice.kind === "spawn") process.exitCode = await handOver([...choice.command, ...process.argv.slice(2)]);
else {
  // Who starts this program anew, as selftest does, starts the program and not the launcher.
  process.argv[1] = index;
  await import(pathToFileURL(index).href);
}
