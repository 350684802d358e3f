import { spawn } from "node:child_process";
import type { Tried } from "../matrix/matrix.ts";
import { at, isObject } from "../model/json.ts";
import { adopt, release } from "../wire/children.ts";

/** Runs `selftest` in several processes, each its part, and joins what they found. A part that fails is thrown. */
export async function shards(
  self: readonly [string, ...string[]],
  args: readonly string[],
  processes: number,
  stop: AbortSignal,
  tell: (tried: Tried) => Promise<void>,
): Promise<readonly Tried[]> {
  const parts = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      part(self, [...args, "--shard", `${index + 1}/${processes}`], stop),
    ),
  );
  const tried = parts.flat();
  for (const each of tried) await tell(each);
  return tried;
}

// --- internal ---

function part([command, ...first]: readonly [string, ...string[]], args: readonly string[], stop: AbortSignal) {
  return new Promise<readonly Tried[]>((resolve, reject) => {
    const child = spawn(command, [...first, "selftest", ...args, "--json"], {
      stdio: ["ignore", "pipe", "ignore"],
      detached: process.platform !== "win32",
    });
    if (child.pid !== undefined) adopt(child.pid);
    let out = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (child.pid !== undefined) release(child.pid);
      const trials = stop.aborted ? [] : at(parsed(out), "trials");
      if (Array.isArray(trials)) resolve(trials.filter(isTried));
      else reject(new Error(`selftest ${args.join(" ")} ended with ${code} and without a result`));
    });
  });
}

const isTried = (value: unknown): value is Tried => isObject(value) && typeof value["fault"] === "string";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
