import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";
import { type Small, smallMachine } from "./_machine.ts";
import { serveRelease } from "./loopback.ts";

/**
 * From an empty folder: installs a release from loopback, runs what its users would run, as the executable and as the
 * bundle, lets the action do the same, and uninstalls it. Throws what went wrong; nothing is left.
 */
export async function tryInstalled(release: string, version: string): Promise<string> {
  const small = smallMachine();
  const served = await serveRelease(release, version);
  small.bring("curl", "sh", "node", "awk", "cp");
  const did: string[] = [];
  try {
    for (const target of ["executable", "bundle"]) {
      const install = ["/bin/sh", join(release, "install.sh"), "--base-url", served.base];
      await must(small, [...install, "--target", target]);
      did.push(`${target}: ${(await tryVerbs(small)).join(", ")}`);
      await must(small, [...install, "--uninstall"]);
      const left = readdirSync(small.home).filter((name) => !["A.json", "B.json"].includes(name));
      if (left.length > 0) throw new Error(`uninstalling left ${left.join(", ")}`);
    }
    did.push(await tryAction(small, served.base, version));
    return did.join("; ");
  } finally {
    await served.close();
    small.remove();
  }
}

// --- internal ---

async function must(small: Small, command: readonly string[], code = 0): Promise<string> {
  const ran = await small.run(command);
  if (ran.code !== code) throw new Error(`${command.join(" ")} ended with ${ran.code}\n${ran.out}${ran.err}`);
  return ran.out;
}

async function tryVerbs(small: Small): Promise<readonly string[]> {
  const assay = join(small.home, ".local/bin/mcp-assay");
  const test = ["test", "--only", "lifecycle,tools"];
  const graded = async (file: string, ...more: string[]): Promise<void> => {
    await must(small, [assay, ...test, "--format", `json=${file}`, "--", assay, "serve", ...more]);
  };
  await graded("A.json");
  await graded("B.json", "--fault", "tools-list/1");
  await must(small, [assay, "diff", "A.json", "A.json"]);
  await must(small, [assay, "diff", "A.json", "B.json"], 1);
  await must(small, [assay, "explain", "tools-list"]);
  const demo = JSON.parse(await must(small, [assay, "demo", "--format", "json"]));
  if (demo.grade !== "A" || demo.score !== 100) throw new Error(`demo gave ${demo.grade} with ${demo.score}`);
  const caught = await must(small, [assay, "selftest", "--only", "transport-post,tools-list"]);
  if (!/ 0 missed/.test(caught)) throw new Error(caught);
  return ["test", "serve", "diff", "explain", "demo", `selftest (${caught.trim().split("\n").at(-1)})`];
}

/** The action's script on a simulated runner, with the executable of this release. */
async function tryAction(small: Small, base: string, version: string): Promise<string> {
  const action = join(small.root, "action");
  mkdirSync(join(action, "scripts/release"), { recursive: true });
  for (const file of ["install.sh", "scripts/release/action.sh"])
    writeFileSync(join(action, file), readFileSync(join(ROOT, file)));
  const repository = { type: "git", url: `git+${base}.git` };
  writeFileSync(join(action, "package.json"), JSON.stringify({ version, repository }, null, 2));
  const output = join(small.root, "output");
  const { code, out, err } = await small.run(["/bin/sh", join(action, "scripts/release/action.sh")], {
    env: {
      ...{ GITHUB_ACTION_PATH: action, GITHUB_OUTPUT: output, GITHUB_PATH: join(small.root, "path") },
      ...{
        RUNNER_TEMP: join(small.root, "temp"),
        INPUT_TARGET: `${join(small.root, "temp/mcp-assay/bin/mcp-assay")} serve`,
      },
      ...{ INPUT_ONLY: "lifecycle", INPUT_UPLOAD_SARIF: "true", INPUT_STRICT: "true", INPUT_PUBLISHABILITY: "true" },
    },
  });
  const told = readFileSync(output, "utf8");
  const verbs = /has no verb|ended with code/.exec(out)?.[0];
  if (!/^grade=A$/m.test(told) || !/^sarif=/m.test(told))
    throw new Error(`the action said ${told}${out}${err} (${code})`);
  return `the action: ${told.split("\n").slice(0, 2).join(", ")}${verbs === undefined ? "" : `, ${verbs} health and score`}`;
}
