import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../installed.ts";
import { type Ran, type Small, smallMachine, standIn, VERSION } from "./_machine.ts";

const SOURCE = join(ROOT, "install.sh");
/** The shells that are here; each runs the whole file. */
const SHELLS = [["dash"], ["busybox", "sh"]].filter(([name = ""]) => Bun.which(name) !== null);
setDefaultTimeout(60_000);
const ARCHIVE = `mcp-assay-${VERSION}-linux-x64.tar.gz`;

const store = smallMachine();
let release: Awaited<ReturnType<typeof standIn>>;
let small: Small;
let shell: readonly string[] = ["sh"];

beforeAll(async () => {
  release = await standIn(join(store.root, "release"));
  for (const name of ["dash", "busybox"])
    if (Bun.which(name) === null) console.warn(`SKIPPED: install.sh on ${name}, which is not here`);
});
afterAll(async () => {
  await release.close();
  store.remove();
});
beforeEach(() => {
  small = smallMachine();
  small.bring("curl");
  small.put("uname", `case "$1" in -m) echo x86_64 ;; *) echo Linux ;; esac`);
  release.asked.length = 0;
});
afterEach(() => {
  release.spoilt.clear();
  small.remove();
});

for (const words of SHELLS) {
  describe(words.join(" "), () => {
    beforeAll(() => {
      shell = words;
    });

    test("installs, runs and uninstalls the executable, and leaves nothing", async () => {
      const { err, code } = await install();
      expect([err, code]).toEqual([expect.stringContaining(`installed mcp-assay ${VERSION} as ${command()}`), 0]);
      expect(err).toContain(`export PATH="${small.home}/.local/bin:$PATH"`);
      expect((await small.run([command(), "a b", "c"])).out).toBe(`mcp-assay ${VERSION} linux-x64 a b c\n`);
      expect((await install("--dry-run", "--uninstall")).err).toContain(`would remove ${command()}`);
      expect((await install("--uninstall")).code).toBe(0);
      expect(readdirSync(small.home)).toEqual([]);
    });

    test("takes the bundle where a runtime is, and changes over from one to the other", async () => {
      await install();
      small.bring("node");
      expect((await install()).err).toMatch(/\(the bundle, to run on Node \d+\.\d+\.\d+\)/);
      expect((await small.run([command(), "x"])).out).toBe(`mcp-assay ${VERSION} bundle x\n`);
      expect(readdirSync(join(small.home, ".local/bin/.mcp-assay")).sort()).toEqual([`${VERSION}-bundle`, "receipt"]);
      await install("--target", "executable");
      expect((await small.run([command(), "x"])).out).toBe(`mcp-assay ${VERSION} linux-x64 x\n`);
      await install("--uninstall");
      expect(readdirSync(small.home)).toEqual([]);
    });

    test("what came wrong is not installed", async () => {
      release.spoilt.set(ARCHIVE, Buffer.from("something else"));
      await refused(/the SHA-256 of mcp-assay-\S+ is [0-9a-f]{64}, and must be [0-9a-f]{64}: nothing was installed/);
      release.spoilt.set(ARCHIVE, "missing");
      await refused(/is not in the release: the server refused http:\/\/127\S+linux-x64\.tar\.gz/);
      release.spoilt.set(ARCHIVE, "half");
      await refused(/broke off half-way|could not be fetched|must be/);
      release.spoilt.clear();
      release.spoilt.set("checksums.txt", Buffer.from(`${"0".repeat(64)}  another.tar.gz\n`));
      await refused(/has no line for mcp-assay-/);
      release.spoilt.set("checksums.txt", "missing");
      await refused(/checksums\.txt is not in the release/);
    });

    test("wget will do", async () => {
      small.drop("curl");
      symlinkSync(Bun.which(shell[0] === "busybox" ? "busybox" : "wget") ?? "/none", join(small.bin, "wget"));
      expect((await install()).err).toContain(`installed mcp-assay ${VERSION}`);
      release.spoilt.set(ARCHIVE, "half");
      await install("--uninstall");
      await refused(/could not be fetched|broke off|must be/);
      release.spoilt.set(ARCHIVE, "missing");
      await refused(/is not in the release|could not be fetched/);
    });
  });
}

test("piped and cut off anywhere, it does nothing", async () => {
  const lines = readFileSync(SOURCE, "utf8").split("\n");
  const cuts = [...lines.keys()].filter((at) => at % 9 === 0).map((at) => lines.slice(0, at).join("\n"));
  const whole = lines.join("\n");
  const args = ["--base-url", release.base];
  await Promise.all(
    [...cuts, whole.slice(0, -'main "$@"\n'.length), whole.slice(0, -3)].map((stdin) =>
      small.run(["/bin/sh", "-s", "--", ...args], { stdin }),
    ),
  );
  expect([release.asked, readdirSync(small.home)]).toEqual([[], []]);
  expect((await small.run(["/bin/sh", "-s", "--", ...args], { stdin: whole })).err).toContain("installed");
});

test("a release's own script carries version, place and checksums, and believes no others", async () => {
  const own = join(release.files, "install.sh");
  expect(readFileSync(own, "utf8")).toContain("DEFAULT_BASE_URL='https://127.0.0.1:1/o/r'");
  const run = (...args: string[]) => small.run(["/bin/sh", own, "--base-url", release.base, ...args]);
  expect((await run()).code).toBe(0);
  expect(release.asked.filter((path) => /latest|checksums/.test(path))).toEqual([]);
  release.spoilt.set(ARCHIVE, Buffer.from("x"));
  release.spoilt.set(
    "checksums.txt",
    Buffer.from(`${new Bun.CryptoHasher("sha256").update("x").digest("hex")}  ${ARCHIVE}\n`),
  );
  expect((await run()).err).toContain("nothing was installed");
});

test("--from needs no network, and checks against the file beside the archive", async () => {
  const from = join(release.files, ARCHIVE);
  small.drop("curl");
  expect((await install("--from", from)).code).toBe(0);
  expect((await install("--from", release.files)).code).toBe(0);
  expect((await install("--from", release.files, "--target", "bundle", "--dry-run")).err).toContain("-bundle.tar.gz");
  expect(release.asked).toEqual([]);
  const stick = join(small.root, "stick");
  mkdirSync(stick);
  writeFileSync(join(stick, ARCHIVE), readFileSync(from));
  expect((await install("--from", stick)).err).toContain("checksums.txt does not exist");
  const sum = new Bun.CryptoHasher("sha256").update(readFileSync(from)).digest("hex");
  expect((await install("--from", stick, "--sha256", sum.toUpperCase())).code).toBe(0);
  expect((await install("--from", stick, "--sha256", "0".repeat(64))).err).toContain("nothing was installed");
  const other = await install("--from", join(stick, ARCHIVE), "--version", "9.9.9", "--sha256", sum);
  expect(other.err).toContain(`is version ${VERSION}, and --version asks for 9.9.9`);
  // A runtime that is there does not make it want the bundle that was not carried.
  small.bring("node");
  expect((await install("--from", stick, "--sha256", sum)).err).toContain("(the executable for linux-x64)");
  writeFileSync(join(stick, "checksums.txt"), `${"1".repeat(64)}  ${ARCHIVE}\n`);
  expect((await install("--from", stick)).err).toContain(`must be ${"1".repeat(64)}`);
});

test("a folder that can't be written to is named before anything is fetched", async () => {
  const dir = join(small.root, "shut");
  mkdirSync(dir);
  chmodSync(dir, 0o555);
  // Root may write anywhere, so it has to be somebody else.
  const other = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];
  if (other.length > 0 && Bun.which("setpriv") === null) return console.warn("SKIPPED: root without setpriv");
  const { code, err } = await small.run([
    ...other.map((word) => Bun.which(word) ?? word),
    "/bin/sh",
    SOURCE,
    "--dir",
    dir,
    "--base-url",
    release.base,
    "--version",
    VERSION,
  ]);
  expect([code, err]).toEqual([1, `install.sh: the folder ${dir} cannot be written to: choose another with --dir\n`]);
  expect((await install("--dir", "/dev/null/x")).err).toContain("cannot be made");
});

test("what was not installed by it stays", async () => {
  mkdirSync(join(small.home, ".local/bin"), { recursive: true });
  writeFileSync(command(), "somebody's");
  await refused(/was not put there by this script/, [".local"]);
  expect((await install("--uninstall")).err).toContain("nothing was installed");
  await small.run(["rm", command()]);
  symlinkSync("/bin/true", command());
  await refused(/is a link that this script did not make/, [".local"]);
  await small.run(["rm", command()]);
  await install();
  writeFileSync(command(), "changed since");
  expect((await install("--uninstall")).err).toContain("has changed since, and stays");
  expect(readFileSync(command(), "utf8")).toBe("changed since");
});

test("each system gets its own target", async () => {
  const about = async (system: string, cpu: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    small.put("uname", `case "$1" in -m) echo ${cpu} ;; *) echo ${system} ;; esac`);
    for (const [name, script] of Object.entries(more)) small.put(name, script);
    const { err } = await install("--dry-run", "--version", VERSION);
    return (
      /executable for (\S+[^)]*\)?)\) from|there is no executable for ([^,]*)/.exec(err)?.slice(1).find(Boolean) ?? err
    );
  };
  const glibc = { ldd: "echo 'ldd (GNU libc) 2.36'" };
  expect(await about("Linux", "aarch64", glibc)).toBe("linux-arm64");
  expect(await about("Linux", "aarch64", { ldd: "echo 'musl libc (aarch64)' >&2; exit 1" })).toBe("linux-arm64-musl");
  expect(await about("Linux", "armv7l", glibc)).toBe("Linux on armv7l");
  expect(await about("FreeBSD", "amd64")).toBe("FreeBSD on amd64");
  expect(await about("Darwin", "x86_64", { sysctl: "case $2 in *proc_translated) echo 1 ;; esac" })).toBe(
    "darwin-arm64",
  );
  const intel = (features: string) => ({ sysctl: `case $2 in *translated) exit 1 ;; *) echo ${features} ;; esac` });
  expect(await about("Darwin", "x86_64", intel("AVX2 BMI"))).toBe("darwin-x64");
  expect(await about("Darwin", "x86_64", intel("BMI"))).toBe(
    "darwin-x64 (this CPU has no AVX2, which it does not need)",
  );
  expect(await about("MINGW64_NT-10.0", "x86_64")).toContain("windows-x64");
  expect(await about("Linux", "x86_64", { ...glibc, getconf: "echo 32" })).toBe("Linux on x86_64");
});

test("mistakes are named", async () => {
  const said = async (...args: string[]): Promise<string> => (await small.run(["/bin/sh", SOURCE, ...args])).err;
  expect(await said()).toContain("say where the releases are with --base-url");
  expect(await said("--base-url", "ftp://x")).toContain("is no https:// URL");
  expect(await said("--versio", "1")).toContain("there is no option --versio");
  expect(await said("--version")).toContain("--version wants a value");
  expect(await said("--target", "beos")).toContain("--target beos is none of: executable bundle linux-x64");
  expect(await said("--from", "/none")).toContain("--from /none does not exist");
  expect(await said("--base-url", `${release.base}x`)).toContain("does not lead to a release");
  expect((await small.run(["/bin/sh", SOURCE, "--uninstall"], { env: { HOME: "" } })).err).toContain("HOME is not set");
  small.drop("sha256sum");
  expect((await install()).err).toContain("nothing is installed unchecked");
});

test("what does not run here is not installed", async () => {
  expect((await install("--target", "windows-x64")).err).toContain("installed");
  if (Bun.which("ldd") !== null && !existsSync("/usr/lib/libstdc++.so.6")) {
    await install("--uninstall");
    await refused(/needs libstdc\+\+|does not run here/, [], "--target", "linux-arm64-musl");
  }
});

test("shellcheck finds nothing", async () => {
  if (Bun.which("shellcheck") === null) return console.warn("SKIPPED: there is no shellcheck here");
  const files = ["install.sh", "scripts/release/launcher.sh", "scripts/release/action.sh"];
  const { exitCode, stdout } = Bun.spawnSync(["shellcheck", ...files], { cwd: ROOT });
  expect([stdout.toString(), exitCode]).toEqual(["", 0]);
});

// --- internal ---

const command = (): string => join(small.home, ".local/bin/mcp-assay");

function install(...args: readonly string[]): Promise<Ran> {
  const [name = "sh", ...rest] = shell;
  return small.run([Bun.which(name) ?? name, ...rest, SOURCE, "--base-url", release.base, ...args]);
}

async function refused(why: RegExp, left: readonly string[] = [], ...args: readonly string[]): Promise<void> {
  const { code, err } = await install(...args);
  expect([code, err]).toEqual([1, expect.stringMatching(why)]);
  expect(readdirSync(small.home)).toEqual([...left]);
}
