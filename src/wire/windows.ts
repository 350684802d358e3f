import { win32 } from "node:path";

/** What the start of a process needs to know of the machine. Names of variables have no case there. */
export interface WindowsMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  isFile(path: string): boolean;
}

/** The file to start and its arguments; verbatim: they are a command line already. */
export interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/**
 * How a command is started on Windows without a shell of its own choosing: the file is found by PATH and PATHEXT, and
 * a .cmd or .bat, as npx and its kin are, is given to cmd.exe with every argument quoted.
 */
export function windowsStart(command: string, args: readonly string[], machine: WindowsMachine): Started {
  const file = findOnWindows(command, machine);
  if (file === undefined || !/\.(cmd|bat)$/i.test(file)) return { file: file ?? command, args, verbatim: false };
  const shell =
    variable(machine.env, "ComSpec") ??
    win32.join(variable(machine.env, "SystemRoot") ?? "C:\\Windows", "System32", "cmd.exe");
  const line = [`"${file}"`, ...args.map(batchArgument)].join(" ");
  // Extensions on, so that %cd:~,% is known; delayed expansion off, so that ! is itself; no AutoRun.
  return { file: shell, args: ["/e:ON", "/v:OFF", "/d", "/c", `"${line}"`], verbatim: true };
}

/** The file that a command means, by its path or on PATH, with an ending of PATHEXT; undefined where there is none. */
export function findOnWindows(command: string, { env, cwd, isFile }: WindowsMachine): string | undefined {
  const extensions = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((each) => each !== "");
  const own = win32.extname(command).toLowerCase();
  const complete = extensions.some((each) => each.toLowerCase() === own);
  const folders = /[\\/]/.test(command) ? [cwd] : (variable(env, "PATH") ?? "").split(";").map(unquoted);
  for (const folder of folders) {
    if (folder === "") continue;
    const path = win32.resolve(cwd, folder, command);
    const candidates = [...(complete ? [path] : []), ...extensions.map((each) => path + each.toLowerCase())];
    const file = candidates.find((each) => isFile(each));
    if (file !== undefined) return file;
  }
  return undefined;
}

// --- internal ---

/**
 * One argument as cmd.exe and then the program behind a batch file's %* read it: in quotes nothing but " and % has a
 * meaning, "" is a quote for both, and %%cd:~,% is a % that starts no variable.
 */
function batchArgument(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error("an argument has a line break, which a .cmd file can't be given");
  if (/^[A-Za-z0-9#$*+\-./:?@\\_]+$/.test(text)) return text;
  const inside = text
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, "$1$1")
    .replaceAll("%", "%%cd:~,%");
  return `"${inside}"`;
}

const unquoted = (folder: string): string => folder.replace(/^"(.*)"$/, "$1");

function variable(env: WindowsMachine["env"], name: string): string | undefined {
  const key = Object.keys(env).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}
