import { ROOT } from "../installed.ts";

/** Runs a command in the root folder to its end and returns what it printed; throws with all of it if it fails. */
export function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { exitCode, signalCode, stdout, stderr } = Bun.spawnSync([...command], {
    cwd: ROOT,
    stdin: "ignore",
    env: { ...process.env, ...env },
  });
  if (exitCode === 0) return stdout.toString().trim();
  throw new Error(`${command.join(" ")} ended with ${signalCode ?? `code ${exitCode}`}\n${stdout}${stderr}`);
}
