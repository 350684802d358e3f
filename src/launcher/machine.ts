import { existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The machine that the launcher runs on, as much of it as matters here. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly windows: boolean;
}

/** The name that a program's file has here. */
export function fileOf(name: string, { windows }: Machine): string {
  return windows ? `${name}.exe` : name;
}

/** Each place on PATH where a program of this name would be. Relative entries are left out: they follow the folder. */
export function onPath(name: string, machine: Machine): readonly string[] {
  const entries = (machine.env["PATH"] ?? machine.env["Path"] ?? "").split(delimiter);
  return entries.filter((entry) => isAbsolute(entry)).map((entry) => join(entry, fileOf(name, machine)));
}

/** The places where there is a file, each file once however often it is named. */
export function present(paths: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return paths.filter((path) => {
    if (!existsSync(path) || statSync(path).isDirectory()) return false;
    const real = realpathSync(resolve(path));
    return !seen.has(real) && seen.add(real);
  });
}
