/** One system that we ship an executable for. */
export interface Target {
  /** As it stands in the names of the archives. */
  readonly name: string;
  /** As Bun calls it. */
  readonly bun: string;
  readonly os: "linux" | "darwin" | "windows";
  readonly cpu: "x64" | "arm64";
  readonly libc?: "musl";
}

export const TARGETS: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64", os: "linux", cpu: "x64" },
  { name: "linux-arm64", bun: "bun-linux-arm64", os: "linux", cpu: "arm64" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl", os: "linux", cpu: "x64", libc: "musl" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl", os: "linux", cpu: "arm64", libc: "musl" },
  { name: "darwin-x64", bun: "bun-darwin-x64", os: "darwin", cpu: "x64" },
  { name: "darwin-arm64", bun: "bun-darwin-arm64", os: "darwin", cpu: "arm64" },
  { name: "windows-x64", bun: "bun-windows-x64", os: "windows", cpu: "x64" },
  { name: "windows-arm64", bun: "bun-windows-arm64", os: "windows", cpu: "arm64" },
];

/** The executable's name, the same everywhere: Bun writes it into the file, so that another one would be another file. */
export function executable({ os }: Target): string {
  return os === "windows" ? "mcp-assay.exe" : "mcp-assay";
}

/** The target of the machine that this runs on. */
export function hostTarget(): Target {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const musl = os === "linux" && !glibc();
  const found = TARGETS.find((each) => each.os === os && each.cpu === process.arch && (each.libc === "musl") === musl);
  if (found === undefined) throw new Error(`${os} on ${process.arch} is no target: ${names()}`);
  return found;
}

export function targetNamed(name: string): Target {
  const found = TARGETS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${JSON.stringify(name)} is no target: it is one of ${names()}`);
  return found;
}

// --- internal ---

const names = (): string => TARGETS.map(({ name }) => name).join(", ");

function glibc(): boolean {
  const report: unknown = process.report?.getReport();
  return JSON.stringify(report ?? "").includes("glibcVersionRuntime");
}
