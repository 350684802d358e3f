// Times the compiled binary: its start, and a full test of the reference server over stdio and HTTP.
// usage: bun run bench [runs]
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";

const BINARY = join(ROOT, "dist", process.platform === "win32" ? "mcp-assay.exe" : "mcp-assay");
const runs = Number(process.argv[2] ?? 10);

if (!existsSync(BINARY)) {
  console.error("bench: there is no dist/mcp-assay; run `bun run build` first");
  process.exitCode = 1;
} else if (!Number.isInteger(runs) || runs < 1) {
  console.error(`bench: the number of runs must be 1 or more; got ${process.argv[2]}`);
  process.exitCode = 2;
} else {
  await bench();
}

// --- internal ---

async function bench(): Promise<void> {
  console.log(
    `${"".padEnd(12)} ${["min", "median", "max"].map((each) => each.padStart(9)).join(" ")}   (ms, ${runs} runs)`,
  );
  await time("--version", ["--version"]);
  await time("test stdio", ["test", "--format", "json", "--", BINARY, "serve"]);
  const server = Bun.spawn([BINARY, "serve", "--http", "0"], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  try {
    await time("test http", ["test", "--format", "json", await listening(server.stderr)]);
  } finally {
    server.kill();
    await server.exited;
  }
}

async function time(name: string, args: readonly string[]): Promise<void> {
  const took: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const start = performance.now();
    const code = await Bun.spawn([BINARY, ...args], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).exited;
    if (code !== 0) throw new Error(`mcp-assay ${args.join(" ")} ended with code ${code}`);
    // The first run warms the caches and does not count.
    if (run > 0) took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  const shown = [took[0], took[Math.floor(took.length / 2)], took.at(-1)];
  console.log(`${name.padEnd(12)} ${shown.map((ms) => (ms ?? 0).toFixed(1).padStart(9)).join(" ")}`);
}

/** The URL that `serve` says it listens on. */
async function listening(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stderr.getReader();
  let said = "";
  for (;;) {
    const { done, value } = await reader.read();
    said += decoder.decode(value, { stream: true });
    const url = /listening on (\S+)\s/.exec(said)?.[1];
    if (url !== undefined) return url;
    if (done) throw new Error(`serve ended before it listened: ${said}`);
  }
}
