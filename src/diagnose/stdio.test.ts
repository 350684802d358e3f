import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Times } from "../engine/context.ts";
import type { Diagnosis } from "../model/diagnosis.ts";
import { createRedactor } from "../text/redact.ts";
import { diagnose } from "./diagnose.ts";

const small = fileURLToPath(new URL("small-server.fixture.ts", import.meta.url));
const env = { PATH: process.env["PATH"] ?? "" };
const windows = process.platform === "win32";
const folder = mkdtempSync(join(tmpdir(), "mcp-assay-diagnose-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** For servers that answer: nothing here is waited for to its end. */
const PATIENT: Times = { request: 20_000, startup: 20_000, preflight: 20_000, quiet: 20, grace: 5000 };
/** For servers that are silent: each wait runs out. */
const SILENCE: Times = { request: 700, startup: 4000, preflight: 700, quiet: 20, grace: 300 };

const started = (words: readonly string[], times = PATIENT, more: Record<string, string> = {}): Promise<Diagnosis> => {
  const [command = "", ...args] = words;
  const secrets = Object.entries(more).map(([name, value]) => ({ name, value }));
  return diagnose({
    target: {
      kind: "stdio",
      command: { command, args, cwd: folder, env: { ...env, ...more }, platform: process.platform },
    },
    times,
    clock: () => performance.now(),
    redact: createRedactor(secrets),
  });
};
const behaving = (behaviour: string, times?: Times, more?: Record<string, string>) =>
  started([process.execPath, small, behaviour], times, more);

/** Behaviour, cause, what the headline has, and the stage that fails (none: all pass, and others break). */
type Row = readonly [behaviour: string, cause: string, headline: string, stage: string | undefined];

const ANSWERING: readonly Row[] = [
  ["banner", "stdout-banner", "Some Server version : 1.0", "first message"], // W001
  ["dotenv", "stdout-dotenv", "dotenv", "first message"], // W002
  ["echo", "echoes-its-input", "writes back", "lists"],
  ["later", "stdout-later", "client connected", undefined],
  ["crlf", "stdout-crlf", "CR LF", undefined],
  ["dies-of-crlf", "dies-of-crlf", "ends when a line ends in CR LF (exited with code 0)", undefined], // W007
  ["answers-notifications", "answers-notifications", "with the id null", undefined], // W010
  ["answers-notifications-without-id", "answers-notifications", "without an id", undefined], // W010
  ["answers-notifications-with-zero", "answers-notifications", "that of the first request", undefined], // W011
  ["number-from-text", "text-id-becomes-number", 'the id "1" with the id 1', undefined], // W013
  ["text-from-number", "id-of-another-type", 'the id 0 with the id "0"', "negotiation"], // W014
  ["cursor-null", "list-cursor-null", "nextCursor that is null", "lists"], // W017
  ["cursor-loop", "list-cursor-loop", 'the cursor "8" again', "lists"], // W019, W020
  ["null-tool", "list-item-odd", "null among its items", "lists"], // W026
  ["deep-tool", "list-item-odd", "among its items", "lists"],
  ["always-newest", "oldest-refused", 'answers with "2025-11-25"', undefined], // W047
  ["from-the-future", "version-unknown", "2030-01-01", "negotiation"],
  ["templates-unknown", "templates-unknown", "resources/templates/list", undefined], // W056
  ["placeholder-version", "version-unknown", "%params/protocolVersion%", "negotiation"], // W049
  ["result-incomplete", "result-incomplete", "lacks protocolVersion and serverInfo", "negotiation"], // W050
  ["refuses-to-begin", "two-revisions-refused", "no API key", "negotiation"],
  ["no-ping", "ping-unknown", "ping", undefined], // W052
  ["declares-without-handler", "list-method-unknown", "declares tools and does not know tools/list", "lists"], // W053
  ["dies-of-discover", "dies-of-discover", "asked server/discover before initialize", undefined], // W062
  ["cut-list", "list-cut", "cut short after 65536 bytes", "lists"], // W065
  ["dies-in-list", "list-kills", "exited with code 1", "lists"], // W068
  ["one-shot", "ends-after-first-answer", "ends after its first answer", "negotiation"], // W104
];

const ENDING: readonly Row[] = [
  ["variable-missing", "variable-missing", "EXAMPLE_API_KEY", "first byte"], // W103
  ["credential-refused", "credential-refused", "credentials are refused", "first byte"], // W103, second variant
  ["port-in-use", "port-in-use", "(3000)", "first byte"],
  ["exits-zero", "exits-with-zero", "without a word", "first byte"],
];

const SILENT: readonly Row[] = [
  ["mute", "silent", "does not answer within", "first byte"],
  ["mute-http", "serves-http", "http://localhost:3000/mcp", "first byte"],
];

const stageOf = ({ stages }: Diagnosis) => stages.find(({ state }) => state === "failed")?.name;

/** Several at once: each waits more than it works. */
async function each(rows: readonly Row[], check: (row: Row) => Promise<void>): Promise<void> {
  const queue = [...rows];
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) await check(row);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

test("a server that answers, and breaks clients, gets the right headline", async () => {
  await each(ANSWERING, async ([behaviour, cause, headline, stage]) => {
    const found = await behaving(behaviour);
    expect([behaviour, found.cause, stageOf(found), found.headline]).toEqual([
      behaviour,
      cause,
      stage,
      expect.stringContaining(headline),
    ]);
    expect([found.heard, found.liveness.class]).toEqual([true, "open"]);
  });
}, 120_000);

test("a server that ends at once gets the right headline", async () => {
  await each(ENDING, async ([behaviour, cause, headline, stage]) => {
    const found = await behaving(behaviour);
    expect([behaviour, found.cause, stageOf(found), found.headline]).toEqual([
      behaviour,
      cause,
      stage,
      expect.stringContaining(headline),
    ]);
    expect([found.heard, found.liveness.class]).toEqual([false, "dead"]);
    expect(found.evidence.find(({ label }) => label === "exit status")?.text).toContain("exited with code");
  });
}, 120_000);

test.concurrent("a server that is silent gets the right headline, and is not called dead", async () => {
  await each(SILENT, async ([behaviour, cause, headline, stage]) => {
    const found = await behaving(behaviour, SILENCE);
    expect([behaviour, found.cause, stageOf(found), found.headline]).toEqual([
      behaviour,
      cause,
      stage,
      expect.stringContaining(headline),
    ]);
    expect(found.liveness.class).toBe(cause === "serves-http" ? "wrong-transport" : "unknown");
  });
}, 120_000);

test.concurrent("whoever writes or waits for something else than lines is told so", async () => {
  const dumped = async (behaviour: string, cause: string) => {
    const found = await behaving(behaviour, SILENCE);
    expect([behaviour, found.cause]).toEqual([behaviour, cause]);
    expect(found.evidence.find(({ label }) => label === "stdout, byte 0")?.text).toStartWith("00000000  ");
  };
  await Promise.all([
    dumped("writes-content-length", "stdout-content-length"), // W005
    dumped("utf16", "stdout-utf-16"),
    dumped("bom", "stdout-byte-order-mark"),
    dumped("pretty", "stdout-pretty-json"),
    dumped("batch", "stdout-batch"), // W016 on stdio
    // W004: the framed try is answered at once.
    behaving("waits-for-content-length", { ...SILENCE, request: 20_000 }).then((found) =>
      expect(found).toMatchObject({ cause: "waits-for-content-length", heard: false }),
    ),
    behaving("answers-at-end", { ...SILENCE, grace: 20_000 }).then((found) =>
      expect(found).toMatchObject({ cause: "answers-at-end-of-input" }),
    ),
  ]);
}, 120_000);

test.concurrent("silence where an answer is due is found behind the opening, too", async () => {
  const brief = { ...PATIENT, request: 500, preflight: 500, grace: 500 };
  const [list, discover, stays] = await Promise.all([
    behaving("silent-list", brief),
    behaving("silent-on-discover", { ...PATIENT, preflight: 500 }),
    behaving("stays-after-end", { ...PATIENT, grace: 500 }),
  ]);
  expect(list).toMatchObject({ cause: "list-silent" });
  expect(discover).toMatchObject({ cause: "silent-on-discover", ok: true });
  expect(stays).toMatchObject({ cause: "stays-after-end-of-input", ok: true });
}, 120_000);

test("a right server is right", async () => {
  const found = await behaving("fine");
  expect(found).toMatchObject({ ok: true, troubles: [], liveness: { class: "open" }, heard: true });
  expect(found.cause).toBeUndefined();
  expect(found.stages.map(({ state }) => state)).toEqual(Array(6).fill("passed"));
}, 60_000);

test("a flood is left in time, with or without lines", async () => {
  for (const found of await Promise.all([behaving("flood", SILENCE), behaving("flood-without-newline", SILENCE)])) {
    expect([found.cause, found.liveness.class]).toEqual(["stdout-banner", "not-mcp"]);
    expect(JSON.stringify(found).length).toBeLessThan(20_000);
  }
}, 60_000);

test("what can't be started is told apart", async () => {
  expect(await started(["no-such-command-at-all"])).toMatchObject({ cause: "command-not-found", heard: false });
  expect(await started(["./gone"])).toMatchObject({
    cause: "command-not-found",
    headline: expect.stringContaining(folder),
  });
  expect(await started(["node server.js --stdio"])).toMatchObject({ cause: "command-line-as-one-word" });
  expect(await started([join(folder, ".")])).toMatchObject({ cause: "command-is-a-folder" });
  expect(await started([process.execPath, "./gone.js"])).toMatchObject({ cause: "script-missing" });
  if (windows) return;
  const script = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
    return `./${name}`;
  };
  expect(await started([script("plain", "#!/bin/sh\n", 0o644)])).toMatchObject({ cause: "command-not-executable" });
  expect(await started([script("cr", "#!/bin/sh\r\necho\r\n", 0o755)])).toMatchObject({ cause: "shebang-with-cr" });
  expect(await started([script("odd", "#!/no/such/interpreter\n", 0o755)])).toMatchObject({
    cause: "interpreter-not-found",
  });
  expect(await started([script("inner", "#!/bin/sh\nno-such-command-at-all\n", 0o755)])).toMatchObject({
    cause: "exits-not-found",
  });
  expect(await started([script("killed", "#!/bin/sh\nkill -9 $$\n", 0o755)])).toMatchObject({
    cause: "killed",
    headline: expect.stringContaining("SIGKILL"),
  });
}, 60_000);

test("a diagnosis that is broken off blames nobody", async () => {
  const controller = new AbortController();
  const found = await diagnose({
    target: {
      kind: "stdio",
      command: { command: process.execPath, args: [small, "exits-zero"], env, platform: process.platform },
    },
    times: PATIENT,
    say: () => controller.abort(),
    signal: controller.signal,
    clock: () => performance.now(),
    redact: createRedactor([]),
  });
  expect(found).toMatchObject({ ok: false, partial: "interrupted", troubles: [], liveness: { class: "unknown" } });
  expect([found.cause, found.mend]).toEqual([undefined, undefined]);
}, 60_000);

test("secrets are taken out before anything is cut", async () => {
  const found = await behaving("secret", PATIENT, { EXAMPLE_KEY: "hush-hush-hush-1234567890" });
  expect(JSON.stringify(found)).not.toContain("hush");
  expect(found.headline).toContain("$EXAMPLE_KEY");
}, 60_000);
