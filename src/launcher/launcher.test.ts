// The table of variables in README.md, row by row, on both launchers: the npm bin and the one in the archives.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../scripts/installed.ts";
import { type Ran, type RunOptions, type Small, smallMachine } from "../../scripts/release/_machine.ts";

setDefaultTimeout(60_000);
const NODE = Bun.which("node");
/** Tells where it runs and what it was given. */
const INDEX = `const { bun, node } = process.versions;
console.log(JSON.stringify([bun ? "bun" : "node", ...process.argv.slice(2)]), process.env.FROM_DOTENV ?? "");
process.exitCode = Number(process.env.CODE ?? 0);`;
const ODD = ["", "a b", "--", "-x", "$HOME", "line\nbreak", "é", "'\""];

const built = smallMachine();
let small: Small;
/** The folder with launcher.mjs and index.js. */
let bundle: string;

beforeAll(async () => {
  const { success } = await Bun.build({
    ...{ entrypoints: [join(ROOT, "src/launcher/main.ts")], outdir: built.root, target: "node" },
    naming: "launcher.mjs",
  });
  expect(success).toBe(true);
});
afterAll(() => built.remove());
beforeEach(() => {
  small = smallMachine();
  bundle = join(small.root, "package/bundle");
  mkdirSync(bundle, { recursive: true });
  copyFileSync(join(built.root, "launcher.mjs"), join(bundle, "launcher.mjs"));
  copyFileSync(join(ROOT, "scripts/release/launcher.sh"), join(small.root, "package/launcher"));
  chmodSync(join(small.root, "package/launcher"), 0o755);
  writeFileSync(join(bundle, "index.js"), INDEX);
  writeFileSync(join(bundle, "package.json"), `{"type":"module"}`);
});
afterEach(() => small.remove());

const launchers = ["launcher.mjs", "launcher"].filter((name) => name === "launcher" || NODE !== null);
if (NODE === null) console.warn("SKIPPED: the npm launcher, since there is no node here");

describe.each(launchers)("%s", (which) => {
  const npm = which === "launcher.mjs";
  const launch = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}, more: RunOptions = {}) =>
    small.run([...command(), ...args], { ...more, env });
  const command = (): readonly string[] =>
    npm ? [NODE ?? "node", join(bundle, which)] : [join(small.root, "package", which)];
  beforeEach(() => {
    if (!npm) small.bring("node");
  });

  test("auto: without an oam, the Node that is here, with nothing to say", async () => {
    expect(await launch(ODD)).toEqual({ code: 0, out: `${JSON.stringify(["node", ...ODD])} \n`, err: "" });
  });

  test("auto: an oam from 0.18.0 on, the newest of all that are found", async () => {
    oam("0.18.0", small.bin);
    expect((await launch(ODD)).out).toBe(`oam 0.18.0: run ${index()} -- ${ODD.join(" ")}\n`);
    oam("0.19.4", join(small.home, ".oam/bin"));
    expect((await launch()).out).toStartWith("oam 0.19.4:");
    const OAM_INSTALL_DIR = join(small.root, "elsewhere");
    oam("0.20.0", OAM_INSTALL_DIR);
    expect((await launch()).out).toStartWith("oam 0.19.4:");
    expect(await launch([], { OAM_INSTALL_DIR })).toMatchObject({
      out: expect.stringMatching(/^oam 0\.20\.0:/),
      err: "",
    });
  });

  test("auto: an oam that can't be used is named, and Node is used", async () => {
    const old = oam("0.17.9", small.bin);
    const instead = npm ? "Node" : join(small.bin, "node");
    const said = await launch(["x"]);
    expect(said.err).toBe(`mcp-assay: ${old} is 0.17.9, older than 0.18.0; using ${instead} instead.\n`);
    expect(said.out).toBe('["node","x"] \n');
    small.put("oam", "exit 3");
    expect((await launch()).err).toContain(`${old} cannot be run`);
    small.put("oam", "echo a friendly greeting");
    expect((await launch()).err).toContain(`${old} does not tell its version; using`);
  });

  test("OAM_BIN goes before all others, and where it will not do, the search goes on", async () => {
    oam("0.21.0", small.bin);
    const OAM_BIN = oam("0.18.2", join(small.root, "mine"));
    expect(await launch([], { OAM_BIN })).toMatchObject({ out: expect.stringMatching(/^oam 0\.18\.2:/), err: "" });
    const none = join(small.root, "none");
    const said = await launch([], { OAM_BIN: none });
    expect(said.out).toStartWith("oam 0.21.0:");
    expect(said.err).toMatch(/^mcp-assay: OAM_BIN \S+none"? does not exist; using \S+\/oam instead\.\n$/);
    oam("0.17.0", join(small.root, "mine"));
    small.drop("oam");
    const old = await launch([], { OAM_BIN });
    expect(old.err).toMatch(/OAM_BIN \S+ is 0\.17\.0, older than 0\.18\.0; using (Node|\S+\/node) instead\.\n$/);
  });

  test("oam: only that; without one, the code is 1 and the mend is told", async () => {
    const env = { MCP_ASSAY_RUNTIME: "oam" };
    const none = await launch([], env);
    expect(none).toEqual({
      ...{ code: 1, out: "" },
      err: "mcp-assay: MCP_ASSAY_RUNTIME is oam, but there is no oam here; install oam from https://oam.sh.\n",
    });
    const wrong = await launch([], { ...env, OAM_BIN: "/none" });
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringMatching(/does not exist; point OAM_BIN at an oam 0\.18\.0/),
    ]);
    oam("0.9.0", small.bin);
    const old = await launch([], env);
    expect([old.code, old.err]).toEqual([
      1,
      expect.stringMatching(/older than 0\.18\.0; update it with: oam self-update/),
    ]);
    oam("0.18.0", small.bin);
    expect((await launch([], env)).out).toStartWith("oam 0.18.0:");
  });

  test("node: whatever else is here", async () => {
    oam("0.19.0", small.bin);
    expect((await launch(["x"], { MCP_ASSAY_RUNTIME: "node" })).out).toBe('["node","x"] \n');
  });

  test("bun: on PATH or in its home folder; a missing or old one is told", async () => {
    const env = { MCP_ASSAY_RUNTIME: "bun" };
    const none = await launch([], env);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("there is no bun here; put bun 1.4.5")]);
    small.put("bun", 'case $1 in --version) echo 1.0.9 ;; *) echo old "$@" ;; esac');
    expect((await launch([], env)).err).toContain("is 1.0.9, older than 1.4.5; put bun 1.4.5");
    small.put("bun", 'case $1 in --version) echo 1.4.5 ;; *) echo bun "$@" ;; esac', join(small.home, ".bun/bin"));
    const found = await launch(["x"], env);
    expect(found.out).toBe(
      `bun --no-env-file --no-install --config=/dev/null --tsconfig-override=/dev/null ${index()} x\n`,
    );
    expect(found.err).toMatch(/older than 1\.4\.5; using \S+\.bun\/bin\/bun instead\.\n$/);
  });

  test("bun: a real one takes nothing from the folder it stands in", async () => {
    small.put("bun", `exec ${process.execPath} "$@"`);
    const hostile = join(small.home, "hostile");
    mkdirSync(hostile);
    writeFileSync(join(hostile, ".env"), "FROM_DOTENV=taken\nCODE=9\n");
    writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./evil.js"]\n');
    writeFileSync(join(hostile, "tsconfig.json"), '{ "compilerOptions": { "paths": { "*": ["./evil.js"] } } }');
    writeFileSync(join(hostile, "evil.js"), 'console.log("evil")');
    const said = await launch(["x"], { MCP_ASSAY_RUNTIME: "bun" }, { cwd: hostile });
    expect(said).toEqual({ code: 0, out: '["bun","x"] \n', err: "" });
  });

  test("binary: the executable beside it, or where MCP_ASSAY_BIN says", async () => {
    const env = { MCP_ASSAY_RUNTIME: "binary" };
    const none = await launch([], env);
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining("there is no executable here; point MCP_ASSAY_BIN"),
    ]);
    small.put("mcp-assay", 'echo executable "$@"', join(small.root, "package"));
    expect((await launch(["x"], env)).out).toBe("executable x\n");
    const MCP_ASSAY_BIN = small.put("other", 'echo other "$@"', join(small.root, "mine"));
    expect((await launch(["x"], { ...env, MCP_ASSAY_BIN })).out).toBe("other x\n");
    const wrong = await launch([], { ...env, MCP_ASSAY_BIN: "/none" });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/MCP_ASSAY_BIN "?\/none"? does not exist/)]);
  });

  test("any other word is a mistake", async () => {
    const { code, err } = await launch([], { MCP_ASSAY_RUNTIME: "deno" });
    expect([code, err]).toEqual([2, expect.stringContaining('"deno" is none of auto, bun, oam, node, binary')]);
  });

  test("exit code, input and output go through as they are", async () => {
    expect((await launch([], { CODE: "7" })).code).toBe(7);
    small.put("oam", "[ $1 = --version ] && echo oam 1.0.0 && exit; cat; echo told >&2; exit 9");
    const stdin = "\u0000é\r\n".repeat(50_000);
    expect(await launch([], {}, { stdin })).toEqual({ code: 9, out: stdin, err: "told\n" });
  });

  test("a child that a signal killed is no success, and signals reach it", async () => {
    small.put("oam", "[ $1 = --version ] && echo oam 1.0.0 && exit; kill -KILL $$");
    const killed = spawn();
    await killed.exited;
    expect(killed.signalCode).toBe("SIGKILL");
    const nap = "for i in 1 2 3 4 5 6 7 8 9; do sleep 1 || exit; done";
    small.bring("sleep");
    small.put("oam", `[ $1 = --version ] && echo oam 1.0.0 && exit; trap 'echo bye; exit 5' TERM; echo up; ${nap}`);
    const asked = spawn();
    const reader = asked.stdout.getReader();
    expect(text(await reader.read())).toBe("up\n");
    asked.kill("SIGTERM");
    expect([text(await reader.read()), await asked.exited]).toEqual(["bye\n", 5]);
  });

  const spawn = () =>
    Bun.spawn([...command()], { env: { HOME: small.home, PATH: small.bin }, stdin: "ignore", stderr: "inherit" });

  test("it may be started through links, from anywhere", async () => {
    const first = join(small.root, "first");
    symlinkSync(command().at(-1) ?? "", first);
    symlinkSync("../first", join(small.bin, "mcp-assay"));
    const start = npm ? [NODE ?? "node", join(small.bin, "mcp-assay")] : ["mcp-assay"];
    expect(
      (await small.run([...start, "x"].map((word) => (word === "mcp-assay" ? join(small.bin, word) : word)))).out,
    ).toBe('["node","x"] \n');
  });
});

describe("the archives' launcher alone", () => {
  const launch = (): Promise<Ran> => small.run([join(small.root, "package/launcher"), "x"]);

  test("auto goes on from Node to Bun to the executable, and says when there is nothing", async () => {
    const nothing = await launch();
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining("there is nothing here to run on")]);
    small.put("mcp-assay", 'echo executable "$@"', join(small.root, "package"));
    expect(await launch()).toEqual({ code: 0, out: "executable x\n", err: "" });
    small.put("bun", `exec ${process.execPath} "$@"`);
    expect((await launch()).out).toBe('["bun","x"] \n');
    small.put("node", 'case $1 in --version) echo v18.20.4 ;; *) echo old "$@" ;; esac');
    const old = await launch();
    expect(old.err).toMatch(/node is 18\.20\.4, older than 20\.0\.0; using \S+bun instead\.\n$/);
    small.put("node", 'case $1 in --version) echo v24.1.0 ;; *) echo new "$@" ;; esac');
    expect(await launch()).toEqual({ code: 0, out: `new ${index()} x\n`, err: "" });
  });

  test("where the launcher itself has the executable's name it is not taken for it", async () => {
    copyFileSync(join(small.root, "package/launcher"), join(small.root, "package/mcp-assay"));
    const { code, err } = await small.run([join(small.root, "package/mcp-assay")], {
      env: { MCP_ASSAY_RUNTIME: "binary" },
    });
    expect([code, err]).toEqual([1, expect.stringContaining("there is no executable here")]);
  });
});

test.skipIf(NODE === null)("the npm launcher starts no process unless it must", async () => {
  writeFileSync(join(bundle, "index.js"), `console.log(process.pid, process.argv[1], process.argv.length);`);
  const child = Bun.spawn([NODE ?? "", join(bundle, "launcher.mjs")], { env: { HOME: small.home, PATH: small.bin } });
  expect(await new Response(child.stdout).text()).toBe(`${child.pid} ${index()} 2\n`);
});

test.skipIf(NODE === null)("a Node that is too old is told", async () => {
  const preload = join(small.root, "old.cjs");
  writeFileSync(preload, `Object.defineProperty(process.versions, "node", { value: "18.20.4" });`);
  const { code, err } = await small.run([NODE ?? "", "--require", preload, join(bundle, "launcher.mjs")]);
  expect([code, err]).toEqual([1, "mcp-assay: node 18.20.4 is older than 20.0.0; update it.\n"]);
});

// --- internal ---

const index = (): string => join(dirname(bundle), "bundle", "index.js");
const text = ({ value }: { readonly value?: Uint8Array | undefined }): string => new TextDecoder().decode(value);

/** A stand-in that tells its version and what it was started with. */
function oam(version: string, folder: string): string {
  return small.put("oam", `case $1 in --version) echo oam ${version} ;; *) echo "oam ${version}: $*" ;; esac`, folder);
}
