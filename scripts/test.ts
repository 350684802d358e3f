// Runs `bun test` with the given arguments and closes with `N passed, N failed`.
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** What a run of the tests came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads the closing block of `bun test`; undefined where no test ran. Lines printed by tests are not mistaken for it. */
export function tallyOf(output: string): Tally | undefined {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const last = lines.findLastIndex((line) => /^Ran \d+ tests? across \d+ files?\./.test(line));
  if (last === -1) return undefined;
  const block = lines.slice(0, last);
  const first = block.findLastIndex(
    (line) => !/^\s*\d+ (pass|fail|skip|todo|errors?|filtered out|expect\(\) calls)$|^\s*(\d+ )?snapshots/.test(line),
  );
  const count = (word: string): number => {
    const found = block.slice(first + 1).find((line) => line.trim().endsWith(` ${word}`));
    return found === undefined ? 0 : Number.parseInt(found, 10);
  };
  const tally = { passed: count("pass"), failed: count("fail"), skipped: count("skip") + count("todo") };
  return tally.passed + tally.failed === 0 ? undefined : tally;
}

/** The closing line. */
export function closing({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Each failure that `bun test` prints, with the end of what stood before its line: the error, and what the test said.
 * Takes the output piece by piece, since all of it can be large.
 */
export function failures(): { take(text: string): void; readonly found: readonly string[] } {
  const found: string[] = [];
  let rest = "";
  let before: string[] = [];
  return {
    found,
    take(text) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines.map(stripVTControlCharacters)) {
        before = [...before, line.slice(0, 500)].slice(-30);
        if (!/^\((pass|fail|skip|todo)\) /.test(line)) continue;
        if (line.startsWith("(fail)")) found.push(before.join("\n").trim());
        before = [];
      }
    },
  };
}

/**
 * Runs the tests, streaming what they print: those that match the arguments, or all. The matrix, which keeps every core
 * busy by itself, comes first then, and the others side by side. What failed is printed once more at the end, where it
 * is looked for. `ok` is false, too, when none ran or bun itself was not content.
 */
export async function runTests(args: readonly string[]): Promise<Tally & { readonly ok: boolean }> {
  if (args.length > 0) return oneRun(args);
  const first = await oneRun(["src/matrix"]);
  const rest = await oneRun([`--parallel=${availableParallelism()}`, "--path-ignore-patterns=src/matrix/**"]);
  const found = [...first.found, ...rest.found];
  if (found.length > 0) console.log(`\nWhat failed:\n\n${found.join("\n\n")}\n`);
  return {
    passed: first.passed + rest.passed,
    failed: first.failed + rest.failed,
    skipped: first.skipped + rest.skipped,
    ok: first.ok && rest.ok,
  };
}

// --- internal ---

// How fast a test is says more of the machine than of the code; this only ends what hangs.
const LIMIT = "--timeout=60000";

interface Run extends Tally {
  readonly ok: boolean;
  readonly found: readonly string[];
}

async function oneRun(args: readonly string[]): Promise<Run> {
  const child = Bun.spawn([process.execPath, "test", LIMIT, ...args], {
    cwd: dirname(import.meta.dir),
    env: {
      ...(process.stderr.isTTY && process.env["NO_COLOR"] === undefined ? { FORCE_COLOR: "1" } : {}),
      ...process.env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const failed = failures();
  const [, told] = await Promise.all([
    stream(child.stdout, process.stdout),
    stream(child.stderr, process.stderr, failed.take),
  ]);
  const code = await child.exited;
  const tally = tallyOf(told);
  if (tally === undefined)
    console.error(`test: no test ran (bun test ended with ${child.signalCode ?? `code ${code}`})`);
  else if (code !== 0 && tally.failed === 0)
    console.error(`test: bun test ended with ${child.signalCode ?? `code ${code}`}`);
  return {
    ...(tally ?? { passed: 0, failed: 0, skipped: 0 }),
    ok: tally !== undefined && code === 0 && tally.failed === 0,
    found: failed.found,
  };
}

async function stream(
  from: ReadableStream<Uint8Array>,
  to: NodeJS.WriteStream,
  take: (text: string) => void = () => {},
): Promise<string> {
  const decoder = new TextDecoder();
  let kept = "";
  for await (const chunk of from) {
    await new Promise((done) => to.write(chunk, done));
    const text = decoder.decode(chunk, { stream: true });
    take(text);
    kept = (kept + text).slice(-65_536);
  }
  return kept;
}

if (import.meta.main) {
  const tally = await runTests(process.argv.slice(2));
  console.log(closing(tally));
  process.exitCode = tally.ok ? 0 : 1;
}
