import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { at } from "../model/json.ts";
import { createLineSplitter } from "./lines.ts";
import { createRecorder } from "./recorder.ts";
import { type Command, startProcess } from "./stdio.ts";

/** A real process that runs this script. */
function start(script: string, more: Partial<Command> = {}) {
  const recorder = createRecorder(() => performance.now());
  const stderr: string[] = [];
  const child = startProcess(
    recorder,
    {
      command: process.execPath,
      args: ["-e", script],
      env: { PATH: process.env["PATH"] ?? "" },
      platform: process.platform,
      ...more,
    },
    { stderr: (line) => void stderr.push(line) },
  );
  const ask = (id: unknown, text: string = JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }), timeout = 5000) =>
    child.send({ sender: "test", pieces: [`${text}\n`], reply: { id }, timeout });
  return { child, recorder, ask, stderr };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie is dead, even where nobody reads how it ended.
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** A killed process is there for a moment longer. */
async function isGone(pid: number): Promise<boolean> {
  for (let i = 0; i < 1000 && isAlive(pid); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  return !isAlive(pid);
}

const ECHO = `let b="";process.stdin.on("data",d=>{b+=d;let i;while((i=b.indexOf("\\n"))>=0){const m=JSON.parse(b.slice(0,i));b=b.slice(i+1);say(m)}});process.stdin.on("end",()=>process.exit(0));`;

test("the reply is found among stray lines, whose bytes are kept", async () => {
  const { child, recorder, ask } = start(
    `console.log("banner");console.error("log");const say=m=>process.stdout.write('noise\\n{"jsonrpc":"2.0","id":'+JSON.stringify(m.id)+',"result":{}}\\r\\n');${ECHO}`,
  );
  const exchange = await ask(5);
  expect(exchange.reply).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  const closing = await child.close(3000);
  expect([closing.how, closing.code]).toEqual(["stdin", 0]);
  expect(child.heard().map(({ text, problem }) => [text, problem])).toEqual([
    ["banner", "not-json"],
    ["noise", "not-json"],
  ]);
  expect(recorder.transcript().filter(({ end }) => end === "unsolicited").length).toBe(2);
  expect(child.stderrTail().trim()).toBe("log");
});

test("UTF-8 cut inside a character, U+2028 and a last line without its newline survive", async () => {
  const { child, ask } = start(
    `const say=m=>{const b=Buffer.from(JSON.stringify({jsonrpc:"2.0",id:m.id,result:{t:"é🚀\\u2028x"}})+"\\n");process.stdout.write(b.subarray(0,45));setTimeout(()=>process.stdout.write(b.subarray(45)),5)};${ECHO.replace("process.exit(0)", 'process.stdout.write("{}",()=>process.exit(0))')}`,
  );
  expect((await ask("é")).reply?.result).toEqual({ t: "é🚀\u2028x" });
  await child.close(3000);
  expect(child.heard().map(({ text, problem }) => [text, problem])).toEqual([["{}", "unterminated"]]);
});

test.skipIf(process.platform !== "linux" || Bun.which("setsid") === null)(
  "a daemon that left the group and its parent is found by its environment",
  async () => {
    const { child, ask } = start(
      `const {execFileSync}=require("node:child_process");const pid=+execFileSync("sh",["-c","setsid sleep 300 >/dev/null 2>&1 & echo $!"],{stdio:["ignore","pipe","ignore"]});const say=m=>process.stdout.write(JSON.stringify({jsonrpc:"2.0",id:m.id,result:{pid}})+"\\n");${ECHO}`,
    );
    const pid = Number(at((await ask(1)).reply?.result, "pid"));
    expect(isAlive(pid)).toBe(true);
    await child.close(3000);
    expect(await isGone(pid)).toBe(true);
  },
);

test("a process that ignores stdin's end and SIGTERM is killed, and its children with it", async () => {
  const { child, ask } = start(
    `const {spawn}=require("node:child_process");const c=spawn(process.execPath,["-e","setInterval(()=>{},1000)"],{stdio:"inherit"});process.on("SIGTERM",()=>{});setInterval(()=>{},1000);const say=m=>process.stdout.write(JSON.stringify({jsonrpc:"2.0",id:m.id,result:{pid:c.pid}})+"\\n");${ECHO.replace("process.exit(0)", "0")}`,
  );
  const { reply } = await ask(1);
  const pid = Number(at(reply?.result, "pid"));
  const closing = await child.close(150);
  expect([closing.how, closing.signal]).toEqual(["SIGKILL", "SIGKILL"]);
  expect(await isGone(pid)).toBe(true);
});

test("death in the middle of a request ends it with the exit status", async () => {
  const { child, ask } = start(`const say=()=>{console.error("boom");process.exit(7)};${ECHO}`);
  const exchange = await ask(1);
  expect([exchange.end, exchange.cause]).toEqual(["closed", "exited with code 7"]);
  expect(child.stderrTail()).toContain("boom");
  expect((await ask(2)).end).toBe("closed");
  expect((await child.close(100)).how).toBe("gone");
});

test("a command that can't be started is unreachable, and its trouble is named", async () => {
  const missing = start("", { command: "no-such-command-anywhere" });
  const exchange = await missing.ask(1);
  expect([exchange.end, exchange.cause]).toEqual([
    "unreachable",
    'the command "no-such-command-anywhere" was not found on PATH: install it, or give its path',
  ]);
  await missing.child.close(10);
});

test("a flood on stderr blocks nobody, and a reader that never reads blocks us only until the time-out", async () => {
  const flood = start(
    `const say=m=>{process.stderr.write("x".repeat(1<<22));process.stdout.write(JSON.stringify({jsonrpc:"2.0",id:m.id,result:{}})+"\\n")};${ECHO}`,
  );
  expect((await flood.ask(1)).end).toBe("reply");
  await flood.child.close(3000);
  const deaf = start("setInterval(()=>{},1000)");
  const exchange = await deaf.ask(1, JSON.stringify({ id: 1, params: "x".repeat(1 << 22) }), 200);
  expect(exchange.end).toBe("timeout");
  await deaf.child.close(50);
});

test("lines are split at 0x0A only, and cut at the cap", () => {
  const splitter = createLineSplitter(10);
  const lines = splitter.feed(Buffer.from(`a\r\n${"b".repeat(50)}\nc`));
  expect(lines.map(({ bytes, tooLong }) => [Buffer.from(bytes).toString().length, tooLong])).toEqual([
    [2, false],
    [11, true],
  ]);
  expect(Buffer.from(splitter.end()?.bytes ?? []).toString()).toBe("c");
});
