import { type FSWatcher, fstatSync, readdirSync, type Stats, statSync, watch } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/** Told of files that change below a folder. */
export interface Tree {
  /** What changed since the last call; at once. */
  take(): readonly string[];
  /** Resolves once something has changed and then nothing for `quiet` ms, or when the signal says to stop. */
  next(quiet: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface TreeOptions {
  /** Files whose folders are looked at even where they lie in one that is left out, such as dist. */
  readonly needed: readonly string[];
  /** Files that we write ourselves. */
  readonly ours: readonly string[];
  /** Descriptors that we write to: stdout may be redirected into the folder that is watched. */
  readonly streams?: readonly number[];
}

/**
 * Watches every folder below `root`, each by a watcher of its own: recursive ones differ between runtimes and systems,
 * and would look into node_modules.
 */
export function watchTree(root: string, { needed, ours, streams = [] }: TreeOptions): Tree {
  const watchers = new Map<string, FSWatcher>();
  const kept = new Set(needed.flatMap((path) => ancestors(resolve(root, path), root)));
  const own = new Set(ours.map((path) => resolve(root, path)));
  const written = new Set(streams.flatMap(fileBehind));
  const known = new Map<string, string>();
  const changed = new Set<string>();
  /** Files that weren't there at the last look. */
  const born = new Set<string>();
  let wake: () => void = () => {};

  function look(folder: string, first: boolean): void {
    if (watchers.has(folder) || watchers.size >= MOST) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => told(folder, name));
      watcher.on("error", () => forget(folder));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (isLookedAt(path, root, kept)) look(path, first);
        } else if (first) known.set(path, signature(path));
        else note(path);
      }
    } catch {
      // Gone already, or not ours to read.
      forget(folder);
    }
  }

  function forget(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function told(folder: string, name: string | null): void {
    if (name === null) return;
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) {
      if (isLookedAt(path, root, kept)) look(path, false);
      return;
    }
    if (stat === undefined && watchers.has(path)) forget(path);
    note(path);
  }

  function note(path: string): void {
    if (own.has(path) || LEFT_FILES.test(basename(path))) return;
    if (written.size > 0 && written.has(identity(statSync(path, { throwIfNoEntry: false })))) return;
    const now = signature(path);
    // Told twice of one change, or of a file that is as it was.
    if (known.get(path) === now) return;
    if (!known.has(path)) born.add(path);
    known.set(path, now);
    // Editors write beside a file and then rename: what came and went between two looks is nothing.
    if (now === "gone" && born.has(path)) changed.delete(relative(root, path));
    else changed.add(relative(root, path));
    wake();
  }

  look(root, true);
  return {
    take() {
      const all = [...changed].sort();
      changed.clear();
      born.clear();
      return all;
    },
    next: (quiet, signal) =>
      new Promise((done) => {
        // This timer keeps us alive; a watcher does not.
        const alive = setInterval(() => {}, 1 << 30);
        let timer: ReturnType<typeof setTimeout> | undefined;
        const finish = () => {
          clearInterval(alive);
          clearTimeout(timer);
          signal.removeEventListener("abort", finish);
          wake = () => {};
          done();
        };
        wake = () => {
          clearTimeout(timer);
          timer = setTimeout(finish, quiet);
        };
        signal.addEventListener("abort", finish);
        if (signal.aborted) finish();
        else if (changed.size > 0) wake();
      }),
    close() {
      for (const folder of [...watchers.keys()]) forget(folder);
    },
  };
}

// --- internal ---

/** Folders; beyond them nobody's inotify has room. */
const MOST = 4000;

const LEFT_FOLDERS = new Set(
  [
    "node_modules .git .hg .svn dist coverage target",
    ".cache .turbo .next .nuxt .output .parcel-cache .vite .svelte-kit .nyc_output .gradle",
    "__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .venv venv",
  ]
    .join(" ")
    .split(" "),
);
/** Logs, swap and temporary files, and what builds leave for themselves. */
const LEFT_FILES =
  /\.(log|sw[a-z]|tmp|temp|pid|pyc|tsbuildinfo)$|~$|^\.#|^#.*#$|^4913$|^\.DS_Store$|\.new$|-(wal|shm|journal)$/i;

/** In a folder that is left out only the way to a needed file is looked at. */
function isLookedAt(folder: string, root: string, kept: ReadonlySet<string>): boolean {
  return (
    kept.has(folder) ||
    !relative(root, folder)
      .split(sep)
      .some((part) => LEFT_FOLDERS.has(part))
  );
}

const identity = (stat: Stats | undefined): string => (stat === undefined ? "" : `${stat.dev} ${stat.ino}`);

/** The file that a descriptor is open on; none, where it is a terminal, a pipe or closed. */
function fileBehind(descriptor: number): readonly string[] {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() ? [identity(stat)] : [];
  } catch {
    return [];
  }
}

function ancestors(path: string, root: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(path); at.startsWith(root) && at !== dirname(at); at = dirname(at)) found.push(at);
  return found;
}

function signature(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "gone" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}
