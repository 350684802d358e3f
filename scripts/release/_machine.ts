// A small machine for trying shell scripts on: its own home, its own PATH, and a release of stand-ins to install.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Loopback, serveRelease } from "./loopback.ts";
import { pack } from "./pack.ts";
import { targetNamed } from "./targets.ts";

export const VERSION = "9.8.7";
/** What every system has. */
const TOOLS =
  "cat chmod cut dirname getconf grep gzip head ldd ln ls mkdir mktemp mv printf readlink rm rmdir sed sha256sum tar tr true uname unzip wc".split(
    " ",
  );

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Small {
  readonly root: string;
  readonly home: string;
  /** The one folder on its PATH. */
  readonly bin: string;
  /** Puts a shell script on PATH, or somewhere else. */
  put(name: string, script: string, folder?: string): string;
  /** Puts a program of this machine on PATH. */
  bring(...names: readonly string[]): void;
  /** Takes a program from PATH. */
  drop(name: string): void;
  run(command: readonly string[], more?: RunOptions): Promise<Ran>;
  remove(): void;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

export function smallMachine(): Small {
  const root = mkdtempSync(join(tmpdir(), "small-"));
  // A server or a shell of somebody else's must be able to look in.
  chmodSync(root, 0o755);
  const [home, bin] = [join(root, "home"), join(root, "bin")];
  mkdirSync(home);
  mkdirSync(bin);
  const bring = (...names: readonly string[]): void => {
    for (const name of names) {
      const found = Bun.which(name);
      if (found !== null) symlinkSync(found, join(bin, name));
    }
  };
  bring(...TOOLS);
  return {
    ...{ root, home, bin, bring },
    put(name, script, folder = bin) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return file;
    },
    drop: (name) => rmSync(join(bin, name)),
    async run(command, { env = {}, stdin = "", cwd = home } = {}) {
      const child = Bun.spawn([...command], {
        cwd,
        env: { HOME: home, PATH: bin, LC_ALL: "C", ...env },
        stdin: new Blob([stdin]),
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { code, out, err };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A release whose executables are shell scripts that say their version and arguments, or do what `script` says. */
export async function standIn(
  folder: string,
  script = (target: string) => `echo mcp-assay ${VERSION} ${target} "$@"`,
): Promise<Loopback & { readonly files: string }> {
  const names = ["linux-x64", "linux-arm64-musl", "darwin-arm64", "windows-x64"];
  const who = {
    version: VERSION,
    commit: "0",
    time: 1_700_000_000,
    repository: "https://127.0.0.1:1/o/r",
    bun: "1.0.0",
  };
  mkdirSync(join(folder, "chunks"), { recursive: true });
  const says = `console.log("mcp-assay ${VERSION}", "bundle", ...process.argv.slice(2));`;
  for (const part of ["index.js", "launcher.mjs"]) writeFileSync(join(folder, part), says);
  for (const name of names) {
    const file = join(folder, "targets", name, name.startsWith("windows") ? "mcp-assay.exe" : "mcp-assay");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script(name)}\n`);
  }
  const files = await pack({ folder, targets: names.map(targetNamed), sources: [], who, say: () => {} });
  return { ...(await serveRelease(files, VERSION)), files };
}
