import { expect, test } from "bun:test";
import { windowsStart } from "./windows.ts";

const files = new Set([
  "C:\\Program Files\\nodejs\\node.exe",
  "C:\\Program Files\\nodejs\\npx.cmd",
  "C:\\Program Files\\nodejs\\npx",
  "C:\\work\\bin\\server.bat",
  "C:\\work\\bin\\tool.exe",
  "C:\\work\\node_modules\\.bin\\it.cmd",
]);
const machine = {
  env: {
    Path: 'C:\\Windows;"C:\\Program Files\\nodejs"',
    PathExt: ".COM;.EXE;.BAT;.CMD",
    COMSPEC: "C:\\Windows\\System32\\cmd.exe",
  },
  cwd: "C:\\work",
  isFile: (path: string) => files.has(path),
};
const start = (command: string, ...args: readonly string[]) => windowsStart(command, args, machine);
const line = (...args: readonly string[]): string => start("npx", ...args).args.at(-1) ?? "";

test("an .exe is found by PATH and started as it is, arguments untouched", () => {
  expect(start("node", "a b", '"')).toEqual({
    file: "C:\\Program Files\\nodejs\\node.exe",
    args: ["a b", '"'],
    verbatim: false,
  });
  expect(start("node.exe").file).toBe("C:\\Program Files\\nodejs\\node.exe");
  expect(start(".\\bin\\tool").file).toBe("C:\\work\\bin\\tool.exe");
});

test("a .cmd is given to cmd.exe, in a folder with spaces, too", () => {
  expect(start("npx", "-y", "@scope/server@1.2.3", "C:\\my files")).toEqual({
    file: "C:\\Windows\\System32\\cmd.exe",
    args: [
      "/e:ON",
      "/v:OFF",
      "/d",
      "/c",
      '""C:\\Program Files\\nodejs\\npx.cmd" -y @scope/server@1.2.3 "C:\\my files""',
    ],
    verbatim: true,
  });
  expect(start("bin/server").args.at(-1)).toBe('""C:\\work\\bin\\server.bat""');
  expect(start("node_modules\\.bin\\it", "日本 語").args.at(-1)).toBe(
    '""C:\\work\\node_modules\\.bin\\it.cmd" "日本 語""',
  );
});

test("nothing in an argument is the shell's", () => {
  const of = (text: string) => line(text).slice('""C:\\Program Files\\nodejs\\npx.cmd" '.length, -1);
  expect(of("a&b|c<d>e^f(g)")).toBe('"a&b|c<d>e^f(g)"');
  expect(of('say "hi"')).toBe('"say ""hi"""');
  expect(of('back\\"slash')).toBe('"back\\\\""slash"');
  expect(of("ends in \\")).toBe('"ends in \\\\"');
  expect(of("%PATH%")).toBe('"%%cd:~,%PATH%%cd:~,%"');
  expect(of("")).toBe('""');
  expect(of("!x!")).toBe('"!x!"');
  expect(() => line("a\nb")).toThrow("an argument has a line break");
});

test("what isn't there is left to the system to say", () => {
  expect(start("no-such", "x")).toEqual({ file: "no-such", args: ["x"], verbatim: false });
  // No extension that runs: the POSIX script beside npx.cmd is none.
  expect(
    windowsStart("npx", [], { ...machine, env: { path: "C:\\Program Files\\nodejs", pathext: ".EXE" } }).file,
  ).toBe("npx");
  expect(windowsStart("npx", [], { ...machine, env: {} }).file).toBe("npx");
});
