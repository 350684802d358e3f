// Builds dist/: the executable of this machine and the bundle for Node; with --all everything that a release holds.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./installed.ts";
import { bundle } from "./release/bundle.ts";
import { run } from "./release/command.ts";
import { assertBaseline, compile } from "./release/compile.ts";
import { type Identity, identity } from "./release/identity.ts";
import { pack } from "./release/pack.ts";
import { hostTarget, TARGETS, targetNamed } from "./release/targets.ts";

const USAGE = "bun run build [--all] [--target NAME]... [--out FOLDER]";

if (import.meta.main) {
  try {
    await build();
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

// --- internal ---

async function build(): Promise<void> {
  const { all, target, out } = options();
  const who = identity();
  if (!all && target.length === 0) {
    const host = hostTarget();
    verify("the executable", [compile(host, out, who), "--version"], who);
    bundle(out, who);
    tryBundle(out, who);
    return;
  }
  const targets = all ? TARGETS : target.map(targetNamed);
  const sources = bundle(out, who);
  tryBundle(out, who);
  for (const each of targets) {
    const file = compile(each, join(out, "targets", each.name), who);
    if (each === hostTarget()) verify(each.name, [file, "--version"], who);
    else console.log(`build: ${each.name} compiled`);
    if (all) assertBaseline(each, join(out, "baseline", each.name), who);
  }
  if (all) await pack({ folder: out, targets, sources, who, say: (line) => console.log(`build: ${line}`) });
}

function options(): { readonly all: boolean; readonly target: readonly string[]; readonly out: string } {
  const { values } = parseArgs({
    options: {
      all: { type: "boolean", default: false },
      target: { type: "string", multiple: true, default: [] },
      out: { type: "string", default: join(ROOT, "dist") },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(`${USAGE}\ntargets: ${TARGETS.map(({ name }) => name).join(", ")}`);
    process.exit(0);
  }
  return values;
}

function tryBundle(folder: string, who: Identity): void {
  const node = Bun.which("node");
  if (node === null) console.log("build: there is no node here to run the bundle");
  else verify("the bundle", [node, join(folder, "index.js"), "--version"], who);
}

/** Bun can leave a binary that can't start and still exit 0: believe only what ran. */
function verify(what: string, command: readonly string[], { version }: Identity): void {
  const said = run(command);
  if (!said.split(/[^\w.+-]+/).includes(version))
    throw new Error(`${what} says ${JSON.stringify(said)}, not ${version}`);
  console.log(`build: ${what} says ${said}`);
}
