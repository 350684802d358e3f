import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../installed.ts";

/** What a build says of itself. Equal commits give equal identities, wherever and whenever they are built. */
export interface Identity {
  readonly version: string;
  /** 12 digits: git's own short form grows with the repository. */
  readonly commit: string;
  /** Seconds since 1970: SOURCE_DATE_EPOCH, or when the commit was made. */
  readonly time: number;
  /** `https://github.com/OWNER/REPO`, from package.json. */
  readonly repository: string;
  readonly bun: string;
}

export function identity(): Identity {
  const { version, repository } = v.parse(PACKAGE, readFileSync(join(ROOT, "package.json"), "utf8"));
  const epoch = process.env["SOURCE_DATE_EPOCH"];
  return {
    version,
    commit: git("rev-parse", "--short=12", "HEAD") ?? "unknown",
    time: Number(epoch ?? git("log", "-1", "--format=%ct") ?? 315_532_800),
    repository: repository.url.replace(/^git\+/, "").replace(/\.git$/, ""),
    bun: Bun.version,
  };
}

/** The constants that are baked into what we build. */
export function defines({ version, commit }: Identity): readonly string[] {
  return Object.entries({
    "process.env.NODE_ENV": "production",
    BUILD_VERSION: version,
    BUILD_COMMIT: commit,
  }).flatMap(([name, value]) => ["--define", `${name}=${JSON.stringify(value)}`]);
}

// --- internal ---

const PACKAGE = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ version: v.string(), repository: v.looseObject({ url: v.string() }) }),
);

function git(...args: readonly string[]): string | undefined {
  const found = Bun.which("git");
  if (found === null) return undefined;
  const { exitCode, stdout } = Bun.spawnSync([found, ...args], { cwd: ROOT });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}
