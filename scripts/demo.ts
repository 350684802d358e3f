// Grades the embedded reference server, installing what that needs first.
import { ensureInstalled, ROOT } from "./installed.ts";

ensureInstalled();
const child = Bun.spawn([process.execPath, "src/main.ts", "demo", ...process.argv.slice(2)], {
  cwd: ROOT,
  stdin: "inherit",
  stdout: "inherit",
  stderr: "inherit",
});
const code = await child.exited;
if (child.signalCode !== null) process.kill(process.pid, child.signalCode);
process.exitCode = code;
